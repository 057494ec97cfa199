package admin

import (
	"net/http"

	"dedupedesk/app/problem"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"dedupedesk/rules"
	"dedupedesk/rules/recipes"
)

// recipeStarts are the recipes to start a rule from.
func recipeStarts() []page.StartView {
	var out []page.StartView
	for _, r := range recipes.All() {
		out = append(out, page.StartView{Sender: r.ID, Title: r.Title, About: r.About, First: true})
	}
	return out
}

// begin makes an empty draft the beginning of a recipe.
func (d *draft) begin(id string) error {
	r, ok := recipes.ByID(id)
	if !ok {
		return problem.New(http.StatusBadRequest, "invalid", "There is no recipe of that name.")
	}
	d.Recipe, d.Rule.Title = r.ID, r.Title
	if r.Ask {
		d.Rule.OnExpiry = string(ledger.Ask)
	}
	return nil
}

func dropRecipe(t *turn) error {
	t.draft.Recipe = ""
	return nil
}

// recipeView is the recipe that the draft was begun as, with what its samples hold
// for it; nil where there is none.
func recipeView(d *draft, tree *rules.Tree) *page.RecipeView {
	r, ok := recipes.ByID(d.Recipe)
	if !ok {
		return nil
	}
	filled := r.Fill(tree)
	v := &page.RecipeView{Title: r.Title, About: r.About, Samples: len(d.Rule.Samples) > 0, List: r.List, Each: filled.Each, Warnings: r.Warnings}
	for _, f := range filled.Found {
		v.Parts = append(v.Parts, page.RecipePartView{Title: f.Want.Title, Help: f.Want.Help, Name: f.Name})
	}
	if filled.Parts != nil {
		v.Formula = rules.Formula(filled.Parts)
		v.Same = sameFormula(v.Formula, d.Rule.Key) && d.Rule.Each == filled.Each
	}
	return v
}
