package n8n

// once handles the event itself: ask, choose, work, report. Where the sender waits, it
// is answered before anything else can fail.
func (p plan) once(c *canvas) {
	c.add(p.askNode(), 2, 0)
	c.add(p.claim(), 3, 0)
	c.add(choose(), 4, 0)
	c.add(p.standIn(), 6, -2)
	c.add(p.done(), 8, -3)
	c.chain(eventNode, askNode, claimNode, choiceNode)
	c.link(choiceNode, exitClaimed, workNode)
	p.report(c)
	if !p.resumes {
		p.giveBack(c)
	}
	p.noWork(c)
	p.unreachable(c)
}

// report follows the work.
func (p plan) report(c *canvas) {
	before := workNode
	if p.goOn {
		c.add(reserved(), 7, -3)
		c.chain(workNode, "Was it reserved?")
		c.add(p.end("Done without asking", 200, "done"), 8, -2)
		c.link("Was it reserved?", 1, "Done without asking")
		before = "Was it reserved?"
	}
	c.chain(before, doneNode)
	if !p.answers {
		return // a report that fails ends the run with an error
	}
	c.add(respond("Answer: done", 200, "done"), 9, -4)
	c.add(respond("Answer: done, not reported", 200, "done"), 9, -3)
	c.add(lookAtKey(), 10, -3)
	c.Nodes[c.index(doneNode)].OnError = errorExit
	c.chain(doneNode, "Answer: done")
	c.link(doneNode, 1, "Answer: done, not reported")
	c.chain("Answer: done, not reported", lookNode)
}

const lookNode = "Look at the key"

func lookAtKey() node {
	return stop(lookNode, "The work was done, but this program could not be told. Look at the key under Keys.")
}

// giveBack follows work that failed.
func (p plan) giveBack(c *canvas) {
	c.add(p.release(), 8, -1)
	c.add(stop("Fail the run", "The work failed. Its key was given back, so the next try may run."), 9, -1)
	c.chain(releaseNode, "Fail the run")
	if !p.answers {
		c.link(workNode, 1, releaseNode)
		return
	}
	c.add(respond("Answer: failed", 500, "failed"), 7, -1)
	c.link(workNode, 1, "Answer: failed")
	c.chain("Answer: failed", releaseNode)
}

// noWork ends copies.
func (p plan) noWork(c *canvas) {
	c.add(p.end("Copy stopped", 200, "copy_stopped"), 6, 1)
	c.link(choiceNode, exitCopy, "Copy stopped")
	if !p.answers || p.resumes {
		c.link(choiceNode, exitInProgress, "Copy stopped")
		return
	}
	c.add(respond("Answer: try later", 503, "in_progress", tryLater()), 6, 0)
	c.link(choiceNode, exitInProgress, "Answer: try later")
}

// unreachable ends what nobody could judge, or has the work done where the rule wants
// that.
func (p plan) unreachable(c *canvas) {
	c.add(stop("Not reserved", "The key could not be reserved, so nothing was done. This program was out of reach, or refused the call: see the node "+claimNode+"."), 7, 3)
	end := "Not reserved"
	if p.answers {
		c.add(respond("Answer: not reserved", 503, "unreachable", tryLater()), 6, 3)
		c.chain("Answer: not reserved", end)
		end = "Answer: not reserved"
	}
	if !p.goOn {
		c.link(claimNode, 1, end)
		c.link(choiceNode, exitUnknown, end)
		return
	}
	c.add(unasked(), 5, 3)
	c.link(claimNode, 1, "Did nobody answer?")
	c.link(choiceNode, exitUnknown, "Did nobody answer?")
	c.link("Did nobody answer?", 0, workNode)
	c.link("Did nobody answer?", 1, end)
}

// end is the last node of a way that is no failure.
func (p plan) end(name string, code int, word string) node {
	if p.answers {
		return respond(name, code, word)
	}
	return quiet(name)
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
