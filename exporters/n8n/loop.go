package n8n

// Outcomes of an item of a list. The worst of them is the outcome of the list.
const (
	outcomeFailed = "failed"
	outcomeLater  = "later"
	outcomeDone   = "done"
)

// loop handles the items of the event's list one after the other, each with a key of
// its own, and sums up behind the last.
func (p plan) loop(c *canvas) {
	list := read("$json.body", p.each[1:])
	// A list that is not there, or is empty, becomes one item without a value, which is
	// refused: this program takes no event without a key either.
	c.add(set(listNode, object(member{"event", "$json"}, member{"began", thisRun}, member{"item", "Array.isArray(" + list + ") && " + list + ".length > 0 ? " + list + " : [null]"})), 2, 0)
	c.add(node{Name: "Each item", Type: "n8n-nodes-base.splitOut", TypeVersion: 1, Parameters: splitParameters{FieldToSplitOut: "item", Include: "allOtherFields"}}, 3, 0)
	c.add(node{Name: loopNode, Type: "n8n-nodes-base.splitInBatches", TypeVersion: 3, Parameters: loopParameters{1, loopOptions{"={{ $prevNode.name === " + quote("Each item") + " }}"}}}, 4, 0)
	c.chain(eventNode, listNode, "Each item", loopNode)
	p.perItem(c)
	p.sumUp(c)
}

// perItem is what happens to one item; each of its ends leads back to the loop.
func (p plan) perItem(c *canvas) {
	c.add(p.askNode(), 6, 1)
	c.add(p.claim(), 7, 1)
	c.add(choose(), 8, 1)
	c.add(p.standIn(), 10, 0)
	done := p.done()
	done.OnError = errorExit
	c.add(done, 12, 0)
	p.outcome(c, "Item done", outcomeDone, 0)
	p.outcome(c, "Item failed", outcomeFailed, 3)
	c.link(loopNode, 1, askNode)
	c.chain(askNode, claimNode, choiceNode, workNode)
	before := workNode
	if p.goOn {
		c.add(reserved(), 11, 0)
		c.chain(workNode, reservedNode)
		c.link(reservedNode, 1, "Item done")
		before = reservedNode
	}
	c.chain(before, doneNode, "Item done")
	c.link(doneNode, 1, "Item done") // the key stays In progress, and this program shows it
	c.link(choiceNode, exitCopy, "Item done")
	if p.resumes {
		c.link(choiceNode, exitInProgress, "Item done")
	} else {
		p.outcome(c, "Item for later", outcomeLater, 2)
		c.link(choiceNode, exitInProgress, "Item for later")
		release := p.release()
		release.OnError = errorExit
		c.add(release, 12, 1)
		c.link(workNode, 1, releaseNode)
		c.link(releaseNode, 0, "Item failed")
		c.link(releaseNode, 1, "Item failed")
	}
	p.unreachable(c, "Item failed")
}

func (p plan) outcome(c *canvas, name, word string, row int) {
	c.add(set(name, object(member{"outcome", quote(word)})), 14, row)
	c.chain(name, loopNode)
}

// sumUp fails the run where one item failed, so that the sender, or the list of
// executions, tells of it.
func (p plan) sumUp(c *canvas) {
	worst := "[" + quote(outcomeFailed) + ", " + quote(outcomeLater) + "].find(w => $input.all().some(i => i.json.outcome === w)) ?? " + quote(outcomeDone)
	all := set("How did it end?", object(member{"outcome", worst}))
	all.ExecuteOnce = true
	c.add(all, 6, -2)
	outcome := "={{ $json.outcome }}"
	rule := func(name, word string) switchRule {
		return switchRule{Conditions: equals(outcome, word), RenameOutput: true, OutputKey: name}
	}
	c.add(node{Name: "Did all end well?", Type: "n8n-nodes-base.switch", TypeVersion: 3.2, Parameters: switchParameters{
		Mode:    "rules",
		Rules:   switchRules{[]switchRule{rule("All done or copies", outcomeDone), rule("Another run is at one", outcomeLater)}},
		Options: switchOptions{FallbackOutput: "extra", RenameFallbackOutput: "One failed"},
	}}, 7, -2)
	c.link(loopNode, 0, "How did it end?")
	c.chain("How did it end?", "Did all end well?")
	c.add(quiet("All done"), 8, -3)
	c.chain("Did all end well?", "All done")
	events := "{ events: $(" + quote(eventNode) + ").all().map(i => i.json) }"
	c.add(again("Fail the run", "$("+quote(listNode)+").first().json.began", events, "At least one item failed. The keys of those that did not run were given back, so the next try may run them."), 8, -1)
	c.add(node{Name: "Events again", Type: "n8n-nodes-base.splitOut", TypeVersion: 1, Parameters: splitParameters{FieldToSplitOut: "events"}}, 9, -1)
	c.chain("Fail the run", "Events again", listNode)
	c.link("Did all end well?", 2, "Fail the run")
	if p.answers && !p.resumes {
		c.add(stop("Another run is at one", "Another run is at one of the items. The sender is told to try later, in case that one fails."), 8, -2)
		c.link("Did all end well?", 1, "Another run is at one")
		return
	}
	c.link("Did all end well?", 1, "All done")
}
