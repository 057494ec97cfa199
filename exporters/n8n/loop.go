package n8n

// Outcomes of an item of a list. The worst of them is the outcome of the list.
const (
	outcomeFailed     = "failed"
	outcomeLater      = "later"
	outcomeUnreported = "unreported"
	outcomeDone       = "done"
)

// loop handles the items of the event's list one after the other, each with a key of
// its own, and sums up behind the last.
func (p plan) loop(c *canvas) {
	event := "$(" + quote(eventNode) + ").item.json"
	list := read("$json.body", p.each[1:])
	// A list that is not there becomes one item without a value, which is refused.
	c.add(set(listNode, object(member{"event", "$json"}, member{"item", "Array.isArray(" + list + ") ? " + list + " : [null]"})), 2, 0)
	c.add(node{Name: "Is it empty?", Type: "n8n-nodes-base.if", TypeVersion: 2.2, Parameters: ifParameters{Conditions: holds("={{ $json.item.length === 0 }}")}}, 3, 0)
	c.add(p.end("Nothing to do", 200, "done"), 4, -2)
	c.add(node{Name: "Each item", Type: "n8n-nodes-base.splitOut", TypeVersion: 1, Parameters: splitParameters{FieldToSplitOut: "item", Include: "allOtherFields"}}, 4, 0)
	c.add(node{Name: loopNode, Type: "n8n-nodes-base.splitInBatches", TypeVersion: 3, Parameters: loopParameters{BatchSize: 1}}, 5, 0)
	c.chain(eventNode, listNode, "Is it empty?", "Nothing to do")
	c.link("Is it empty?", 1, "Each item")
	c.chain("Each item", loopNode)
	p.perItem(c, event)
	p.sumUp(c)
}

// perItem is what happens to one item; each of its ends leads back to the loop.
func (p plan) perItem(c *canvas, event string) {
	c.add(p.askNode(), 6, 1)
	c.add(p.claim(), 7, 1)
	c.add(choose(), 8, 1)
	work := p.standIn()
	item := "$(" + quote(loopNode) + ").item.json.item"
	call := work.Parameters.(httpParameters)
	call.JSONBody = object(member{"item", item}, member{"event", event + ".body"})
	work.Parameters = call
	c.add(work, 10, 0)
	done := p.done()
	done.OnError = errorExit
	c.add(done, 12, -1)
	c.link(loopNode, 1, askNode)
	c.chain(askNode, claimNode, choiceNode, workNode)
	before := workNode
	if p.goOn {
		c.add(reserved(), 11, -1)
		c.chain(workNode, "Was it reserved?")
		before = "Was it reserved?"
	}
	c.chain(before, doneNode)
	p.outcome(c, "Item done", outcomeDone, 14, 0)
	p.outcome(c, "Item not reported", outcomeUnreported, 14, 1)
	p.outcome(c, "Item failed", outcomeFailed, 14, 3)
	c.chain(doneNode, "Item done")
	c.link(doneNode, 1, "Item not reported")
	if p.goOn {
		c.link("Was it reserved?", 1, "Item done")
	}
	c.link(choiceNode, exitCopy, "Item done")
	if p.resumes {
		c.link(choiceNode, exitInProgress, "Item done")
	} else {
		p.outcome(c, "Item for later", outcomeLater, 14, 2)
		c.link(choiceNode, exitInProgress, "Item for later")
	}
	if !p.resumes {
		c.add(p.release(), 12, 2)
		c.Nodes[c.index(releaseNode)].OnError = errorExit
		c.link(workNode, 1, releaseNode)
		c.link(releaseNode, 0, "Item failed")
		c.link(releaseNode, 1, "Item failed")
	}
	p.itemUnreachable(c)
}

func (p plan) itemUnreachable(c *canvas) {
	if !p.goOn {
		c.link(claimNode, 1, "Item failed")
		c.link(choiceNode, exitUnknown, "Item failed")
		return
	}
	c.add(unasked(), 9, 3)
	c.link(claimNode, 1, "Did nobody answer?")
	c.link(choiceNode, exitUnknown, "Did nobody answer?")
	c.link("Did nobody answer?", 0, workNode)
	c.link("Did nobody answer?", 1, "Item failed")
}

func (p plan) outcome(c *canvas, name, word string, column, row int) {
	c.add(set(name, object(member{"outcome", quote(word)})), column, row)
	c.chain(name, loopNode)
}

// sumUp fails the run where one item failed, so that the sender, or the list of
// executions, tells of it.
func (p plan) sumUp(c *canvas) {
	worst := "[" + quote(outcomeFailed) + ", " + quote(outcomeLater) + ", " + quote(outcomeUnreported) + "].find(w => $input.all().some(i => i.json.outcome === w)) ?? " + quote(outcomeDone)
	all := set("How did it end?", object(member{"outcome", worst}))
	all.ExecuteOnce = true
	c.add(all, 6, -3)
	outcome := "={{ $json.outcome }}"
	rule := func(name, word string) switchRule {
		return switchRule{Conditions: equals(outcome, word), RenameOutput: true, OutputKey: name}
	}
	c.add(node{Name: "Did all end well?", Type: "n8n-nodes-base.switch", TypeVersion: 3.2, Parameters: switchParameters{
		Mode:    "rules",
		Rules:   switchRules{[]switchRule{rule("All done or copies", outcomeDone), rule("Another run is at one", outcomeLater), rule("One was not reported", outcomeUnreported)}},
		Options: switchOptions{FallbackOutput: "extra", RenameFallbackOutput: "One failed"},
	}}, 7, -3)
	c.link(loopNode, 0, "How did it end?")
	c.chain("How did it end?", "Did all end well?")
	c.add(stop("Fail the run", "At least one item failed. The keys of those that did not run were given back, so the next try may run them."), 9, -1)
	c.add(lookAtKey(), 9, -2)
	c.add(p.end("All done", 200, "done"), 8, -4)
	c.chain("Did all end well?", "All done")
	if !p.answers {
		c.link("Did all end well?", 1, "All done")
		c.link("Did all end well?", 2, lookNode)
		c.link("Did all end well?", 3, "Fail the run")
		return
	}
	for i, answer := range []node{respond("Answer: try later", 503, "in_progress", tryLater()), respond("Answer: done, not reported", 200, "done"), respond("Answer: failed", 500, "failed")} {
		c.add(answer, 8, i-3)
		c.link("Did all end well?", i+1, answer.Name)
	}
	c.chain("Answer: done, not reported", lookNode)
	c.chain("Answer: failed", "Fail the run")
}
