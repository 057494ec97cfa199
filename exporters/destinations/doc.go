// Package destinations makes checklists for places that may refuse a copy by
// themselves: Stripe, HubSpot, Salesforce and Airtable. For Google Sheets and Excel it
// says that they cannot, and what to do then.
//
// # What it promises
//
// A copy is told from other failures by its text, never by failure alone; where the
// text is not confirmed, a step says how to read it. What only searches and then
// creates is called partial. The keys of the samples are checked against what the
// destination holds and how it compares.
//
// # What it can not promise
//
// Nothing was tried in an account of these vendors. The event key is made by the tool
// that writes there, or by this program; no step here makes it.
//
// # Units, errors, concurrency
//
// As package exporters has them. Lengths of keys are counted in UTF-16 units for
// fields, and in characters for Stripe.
package destinations
