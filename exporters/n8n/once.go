package n8n

// once handles the event itself: ask, choose, work, report.
func (p plan) once(c *canvas) {
	c.add(p.askNode(), 2, 0)
	c.add(p.claim(), 3, 0)
	c.add(choose(), 4, 0)
	c.add(p.standIn(), 6, -1)
	c.chain(eventNode, askNode, claimNode, choiceNode)
	c.link(choiceNode, exitClaimed, workNode)
	p.report(c)
	if !p.resumes {
		c.add(p.release(), 7, 0)
		c.add(askAgain("Fail the run", "The work failed. Its key was given back, so the next try may run."), 8, 0)
		c.link(workNode, 1, releaseNode)
		c.chain(releaseNode, "Fail the run", askNode)
	}
	c.add(quiet("Copy stopped"), 6, 2)
	c.link(choiceNode, exitCopy, "Copy stopped")
	if p.answers && !p.resumes {
		// The run that has the key may yet fail, so the sender has to come back.
		c.add(stop("Another run is at it", "Another run is at this event. The sender is told to try later, in case that one fails."), 6, 1)
		c.link(choiceNode, exitInProgress, "Another run is at it")
	} else {
		c.link(choiceNode, exitInProgress, "Copy stopped")
	}
	c.add(askAgain("Not reserved", "The key could not be reserved, so nothing was done. This program was out of reach, or refused the call: see the node "+claimNode+"."), 6, 3)
	c.chain("Not reserved", askNode)
	p.unreachable(c, "Not reserved")
}

// askAgain fails, and when the run is started again asks for the key of the event anew.
func askAgain(name, message string) node {
	return again(name, "$("+quote(askNode)+").first().json.owner", "$("+quote(eventNode)+").item.json", message)
}

// report follows the work. Where the sender waits, a report that fails is no failure of
// the work: the key stays In progress, and this program shows it to a person.
func (p plan) report(c *canvas) {
	c.add(p.done(), 8, -2)
	before := workNode
	if p.goOn {
		c.add(reserved(), 7, -2)
		c.add(quiet("Done without asking"), 8, -1)
		c.chain(workNode, reservedNode)
		c.link(reservedNode, 1, "Done without asking")
		before = reservedNode
	}
	c.chain(before, doneNode)
	if p.answers {
		c.Nodes[c.index(doneNode)].OnError = errorExit
		c.add(quiet("Done, not reported"), 9, -2)
		c.link(doneNode, 1, "Done, not reported")
	}
}

// unreachable leads to end what nobody could judge, or has the work done where the rule
// wants that.
func (p plan) unreachable(c *canvas, end string) {
	if !p.goOn {
		if !p.asksAgain() {
			c.link(claimNode, 1, end)
		}
		c.link(choiceNode, exitUnknown, end)
		return
	}
	c.add(unasked(), 5, 3)
	c.link(claimNode, 1, unaskedNode)
	c.link(choiceNode, exitUnknown, unaskedNode)
	c.link(unaskedNode, 0, workNode)
	c.link(unaskedNode, 1, end)
}

// index returns the place of a node that was added.
func (c *canvas) index(name string) int {
	for i, n := range c.Nodes {
		if n.Name == name {
			return i
		}
	}
	panic("no node " + name) // a name that build misspells
}
