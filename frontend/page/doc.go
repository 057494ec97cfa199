// Package page turns views into HTML: the shell around every page, the components
// that pages are made of, and the pages. A view carries words as they are shown
// ("4 minutes ago", "In progress"), never a domain type; the caller makes it, with
// its own clock.
//
// # What it promises
//
// The HTML holds no inline script or style, no hx-on and no address of another
// host but the vendors' help pages, so it stands under the policy
//
//	default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;
//	font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none';
//	frame-ancestors 'none'
//
// Every state is told by word and shape, not by colour alone. Every control works
// by keyboard and has a name that makes sense alone. A component with an id of its
// own may stand once in a page; others take their ids from the view.
//
// # Components
//
//	frame      Shell(ShellView, content)  StatusBar  PageHeader  Locked
//	press      Button  LinkButton  ButtonView  CopyButton  CopyField
//	            Confirm(ConfirmView) gives attributes for a form or one of its buttons
//	fill in    Field(FieldView) for input, textarea, select (Kind, Options)  Fault
//	            classes "input", "input-code", "check" for anything else
//	tell       Badge(BadgeView)  StateBadge(word)  Notice(NoticeView)  EmptyState
//	            Toast, sent beside a fragment with ToastPartial
//	lay out    Card(CardView)  Tabs  Code  classes "stack", "stack stack-tight",
//	            "columns", "btn-row", "card card-flush" around "table-wrap" > "table"
//	small      Icon(name)  Time(TimeView)  Hidden(text)  Count(n)
//
// Children of Card, Notice, Button, EmptyState and PageHeader stand in braces:
//
//	@Card(CardView{Title: "Samples"}) {
//		<p>…</p>
//	}
//
// # Adding a page
//
// One file frontend/page/<page>.templ with its views (more files as it grows),
// frontend/src/<page>.css for rules of that page alone, written with the tokens of
// tokens.css, and frontend/src/<page>.ts for its behaviour, as custom elements.
// app.css and core.ts import both by name. A new icon is one line in
// frontend/src/icons.txt. Sample views go into frontend/gallery/<page>.go. Then
//
//	build/assets                            generates, bundles
//	go test ./frontend/gallery -update      goldens of the sample views
//	go run ./frontend/gallery               to look at them
//
// Script helpers: requests.ts has post(url, fields), which carries the session, and
// tellRefusal; toast.ts has toast, errorToast and announce; confirm.ts has ask;
// shortcuts.ts has typing(event), to be asked before acting on a single key.
//
// # Forms and requests
//
// htmx 4: a form has hx-post, hx-target and hx-swap of its own, since nothing is
// inherited without the suffix :inherited. A POST is answered 200 with the fragment
// that changed or 422 with the form and its faults, and both are swapped in; every
// other refusal leaves the page as it is and shows a toast. Swap with outerMorph
// what holds the focus, so that the caret stays. Never send a file: read its text.
//
// # Errors and concurrency
//
// Components fail only when the writer does. All of them may be rendered by any
// number of goroutines at once.
package page
