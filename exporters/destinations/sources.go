package destinations

import "dedupedesk/exporters"

// Pages that the steps rely on.
var (
	stripePage     = exporters.Source{Page: "Stripe: Idempotent requests", URL: "https://docs.stripe.com/api/idempotent_requests", Read: "2026-12-01"}
	stripeChanged  = exporters.Source{Page: "stripe-ruby issue 503: the error for changed parameters", URL: "https://github.com/stripe/stripe-ruby/issues/503", Read: "2026-12-01"}
	stripeOtherURL = exporters.Source{Page: "stripe-ruby issue 598: one key for two endpoints", URL: "https://github.com/stripe/stripe-ruby/issues/598", Read: "2026-12-01"}

	hubspotUnique = exporters.Source{Page: "HubSpot: Unique properties for contacts", URL: "https://developers.hubspot.com/changelog/unique-properties-for-contacts", Read: "2026-12-01"}
	hubspotRules  = exporters.Source{Page: "HubSpot: Set validation rules for a property", URL: "https://knowledge.hubspot.com/properties/set-validation-rules-for-properties", Read: "2026-12-01"}
	hubspotClash  = exporters.Source{Page: "hubspot-api-nodejs issue 545: Contact already exists", URL: "https://github.com/HubSpot/hubspot-api-nodejs/issues/545", Read: "2026-12-01"}
	hubspotByID   = exporters.Source{Page: "HubSpot: Updating objects by a unique property", URL: "https://developers.hubspot.com/changelog/updating-objects-by-custom-field-and-adding-owner-properties-via-the-api", Read: "2026-12-01"}

	salesforceField  = exporters.Source{Page: "Salesforce: Custom Field Attributes", URL: "https://help.salesforce.com/s/articleView?id=platform.custom_field_attributes.htm&language=en_US&type=5", Read: "2026-12-01"}
	salesforceClash  = exporters.Source{Page: "Gearset: DUPLICATE_VALUE, duplicate value found", URL: "https://docs.gearset.com/en/articles/4002241-resolving-data-deployment-errors-duplicate_value-duplicate-value-found", Read: "2026-12-01"}
	salesforceUpsert = exporters.Source{Page: "Salesforce: Insert or Update (Upsert) a Record Using an External ID", URL: "https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/resources_sobject_upsert_patch.htm", Read: "2026-11-30"}
	salesforceRace   = exporters.Source{Page: "Salesforce Stack Exchange 197382: upsert answers DUPLICATE_VALUE", URL: "https://salesforce.stackexchange.com/questions/197382/salesforce-rest-upsert-for-externalid-cause-duplicate-value-error/219520", Read: "2026-12-01"}
	salesforceMail   = exporters.Source{Page: "restforce issue 243: an e-mail address is not unique", URL: "https://github.com/ejholmes/restforce/issues/243", Read: "2026-11-30"}

	airtableUpsert = exporters.Source{Page: "Airtable: Update multiple records", URL: "https://airtable.com/developers/web/api/update-multiple-records", Read: "2026-12-01"}

	sheetsRule = exporters.Source{Page: "Data validation: a value that must not be there yet", URL: "https://goodcom.pages.dev/posts/data-validation-must-not-exist-in-list", Read: "2026-12-01"}
	sheetsLong = exporters.Source{Page: "COUNTIF rounds long numbers", URL: "https://transang.me/you-should-never-use-countif-function-google-spreadsheet/", Read: "2026-12-01"}
)
