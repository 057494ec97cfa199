package makecom

import (
	"fmt"
	"time"
)

// stuckAfter is when a record that is not finished counts as stuck: no run of Make
// lasts longer, and none that the rule allows.
func stuckAfter(lease time.Duration, resumes bool) time.Duration {
	least := time.Hour
	if resumes {
		least = resumeLease
	}
	return max(lease, least)
}

// careScenario looks for records that got stuck and takes out what was finished long
// ago, by the days that it is kept. It runs by a schedule.
func careScenario(rule string, after time.Duration, keepDays int) blueprint {
	trigger := module{ID: triggerID, Module: "util:BasicTrigger", Version: 1, Parameters: bundles{[]bundle{{[]pair{{"start", "now"}}}}}, Mapper: none{}, Metadata: at(0, 0, "On schedule")}
	stuck := search(10, at(600, 0, "Stuck keys"),
		test{"state", "text:notequal", stateDone}, test{"claimed_at", "date:less", fmt.Sprintf("{{addMinutes(now; -%d)}}", int(after.Minutes()))})
	alert := composer(11, "Stuck: {{10.key}}, {{10.data.state}} since {{10.data.claimed_at}}, run {{10.data.run}}", at(900, 0, "Your mail"))
	old := search(12, at(600, 300, "Finished long ago"),
		test{"state", "text:equal", stateDone}, test{"done_at", "date:less", fmt.Sprintf("{{addDays(now; -%d)}}", keepDays)})
	gone := store(13, "DeleteRecord", deleteRecord{"{{12.key}}"}, at(900, 300, "Forget it"))
	return file("Look after: "+rule,
		"Looks for event keys of the rule "+rule+" that got stuck, and takes out what was finished long ago. The tool module named Your mail is a stand-in. Choose your data store in each Data store module.",
		[]module{trigger, router(choiceRouterID, at(300, 0, ""), []module{stuck, alert}, []module{old, gone})}, false, scenario{})
}

func search(id int, meta moduleMeta, tests ...test) module {
	m := store(id, "SearchRecord", searchRecord{[][]test{tests}, []none{}}, meta)
	m.Parameters = searchParameters{Limit: 100}
	return m
}
