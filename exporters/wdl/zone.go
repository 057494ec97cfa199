package wdl

import (
	"strings"
	"time"
	_ "time/tzdata" // Windows has no zone files of its own
)

// Zone returns Microsoft's own spelling of the name of a time zone, in any case,
// and false for one that is not known here.
func Zone(name string) (string, bool) {
	if place, ok := windowsZones[strings.ToLower(name)]; ok {
		return place.name, true
	}
	return "", false
}

// ZoneOf returns Microsoft's name of the zone of a place in the tz database, such as
// Europe/Berlin, and false for a place that stands for none of them.
func ZoneOf(place string) (string, bool) {
	for _, zone := range windowsZones {
		if strings.EqualFold(zone.city, place) {
			return zone.name, true
		}
	}
	return "", false
}

// Location returns the zone of that name of Microsoft's. Its rules are those of the
// tz database, which can differ from Microsoft's for times long past and for laws
// that are new.
func Location(name string) (*time.Location, bool) {
	place, ok := windowsZones[strings.ToLower(name)]
	if !ok {
		return nil, false
	}
	at, err := time.LoadLocation(place.city)
	return at, err == nil
}

// A windowsZone is a time zone by Microsoft's name, and the place that stands for
// it in the tz database. From windowsZones.xml of the Unicode CLDR (territory 001),
// as Go's own package time has it, read 2026-12-01.
type windowsZone struct{ name, city string }

var windowsZones = map[string]windowsZone{
	"afghanistan standard time":       {"Afghanistan Standard Time", "Asia/Kabul"},
	"alaskan standard time":           {"Alaskan Standard Time", "America/Anchorage"},
	"aleutian standard time":          {"Aleutian Standard Time", "America/Adak"},
	"altai standard time":             {"Altai Standard Time", "Asia/Barnaul"},
	"arab standard time":              {"Arab Standard Time", "Asia/Riyadh"},
	"arabian standard time":           {"Arabian Standard Time", "Asia/Dubai"},
	"arabic standard time":            {"Arabic Standard Time", "Asia/Baghdad"},
	"argentina standard time":         {"Argentina Standard Time", "America/Buenos_Aires"},
	"astrakhan standard time":         {"Astrakhan Standard Time", "Europe/Astrakhan"},
	"atlantic standard time":          {"Atlantic Standard Time", "America/Halifax"},
	"aus central standard time":       {"AUS Central Standard Time", "Australia/Darwin"},
	"aus central w. standard time":    {"Aus Central W. Standard Time", "Australia/Eucla"},
	"aus eastern standard time":       {"AUS Eastern Standard Time", "Australia/Sydney"},
	"azerbaijan standard time":        {"Azerbaijan Standard Time", "Asia/Baku"},
	"azores standard time":            {"Azores Standard Time", "Atlantic/Azores"},
	"bahia standard time":             {"Bahia Standard Time", "America/Bahia"},
	"bangladesh standard time":        {"Bangladesh Standard Time", "Asia/Dhaka"},
	"belarus standard time":           {"Belarus Standard Time", "Europe/Minsk"},
	"bougainville standard time":      {"Bougainville Standard Time", "Pacific/Bougainville"},
	"canada central standard time":    {"Canada Central Standard Time", "America/Regina"},
	"cape verde standard time":        {"Cape Verde Standard Time", "Atlantic/Cape_Verde"},
	"caucasus standard time":          {"Caucasus Standard Time", "Asia/Yerevan"},
	"cen. australia standard time":    {"Cen. Australia Standard Time", "Australia/Adelaide"},
	"central america standard time":   {"Central America Standard Time", "America/Guatemala"},
	"central asia standard time":      {"Central Asia Standard Time", "Asia/Bishkek"},
	"central brazilian standard time": {"Central Brazilian Standard Time", "America/Cuiaba"},
	"central europe standard time":    {"Central Europe Standard Time", "Europe/Budapest"},
	"central european standard time":  {"Central European Standard Time", "Europe/Warsaw"},
	"central pacific standard time":   {"Central Pacific Standard Time", "Pacific/Guadalcanal"},
	"central standard time":           {"Central Standard Time", "America/Chicago"},
	"central standard time (mexico)":  {"Central Standard Time (Mexico)", "America/Mexico_City"},
	"chatham islands standard time":   {"Chatham Islands Standard Time", "Pacific/Chatham"},
	"china standard time":             {"China Standard Time", "Asia/Shanghai"},
	"cuba standard time":              {"Cuba Standard Time", "America/Havana"},
	"dateline standard time":          {"Dateline Standard Time", "Etc/GMT+12"},
	"e. africa standard time":         {"E. Africa Standard Time", "Africa/Nairobi"},
	"e. australia standard time":      {"E. Australia Standard Time", "Australia/Brisbane"},
	"e. europe standard time":         {"E. Europe Standard Time", "Europe/Chisinau"},
	"e. south america standard time":  {"E. South America Standard Time", "America/Sao_Paulo"},
	"easter island standard time":     {"Easter Island Standard Time", "Pacific/Easter"},
	"eastern standard time":           {"Eastern Standard Time", "America/New_York"},
	"eastern standard time (mexico)":  {"Eastern Standard Time (Mexico)", "America/Cancun"},
	"egypt standard time":             {"Egypt Standard Time", "Africa/Cairo"},
	"ekaterinburg standard time":      {"Ekaterinburg Standard Time", "Asia/Yekaterinburg"},
	"fiji standard time":              {"Fiji Standard Time", "Pacific/Fiji"},
	"fle standard time":               {"FLE Standard Time", "Europe/Kiev"},
	"georgian standard time":          {"Georgian Standard Time", "Asia/Tbilisi"},
	"gmt standard time":               {"GMT Standard Time", "Europe/London"},
	"greenland standard time":         {"Greenland Standard Time", "America/Godthab"},
	"greenwich standard time":         {"Greenwich Standard Time", "Atlantic/Reykjavik"},
	"gtb standard time":               {"GTB Standard Time", "Europe/Bucharest"},
	"haiti standard time":             {"Haiti Standard Time", "America/Port-au-Prince"},
	"hawaiian standard time":          {"Hawaiian Standard Time", "Pacific/Honolulu"},
	"india standard time":             {"India Standard Time", "Asia/Calcutta"},
	"iran standard time":              {"Iran Standard Time", "Asia/Tehran"},
	"israel standard time":            {"Israel Standard Time", "Asia/Jerusalem"},
	"jordan standard time":            {"Jordan Standard Time", "Asia/Amman"},
	"kaliningrad standard time":       {"Kaliningrad Standard Time", "Europe/Kaliningrad"},
	"korea standard time":             {"Korea Standard Time", "Asia/Seoul"},
	"libya standard time":             {"Libya Standard Time", "Africa/Tripoli"},
	"line islands standard time":      {"Line Islands Standard Time", "Pacific/Kiritimati"},
	"lord howe standard time":         {"Lord Howe Standard Time", "Australia/Lord_Howe"},
	"magadan standard time":           {"Magadan Standard Time", "Asia/Magadan"},
	"magallanes standard time":        {"Magallanes Standard Time", "America/Punta_Arenas"},
	"marquesas standard time":         {"Marquesas Standard Time", "Pacific/Marquesas"},
	"mauritius standard time":         {"Mauritius Standard Time", "Indian/Mauritius"},
	"middle east standard time":       {"Middle East Standard Time", "Asia/Beirut"},
	"montevideo standard time":        {"Montevideo Standard Time", "America/Montevideo"},
	"morocco standard time":           {"Morocco Standard Time", "Africa/Casablanca"},
	"mountain standard time":          {"Mountain Standard Time", "America/Denver"},
	"mountain standard time (mexico)": {"Mountain Standard Time (Mexico)", "America/Mazatlan"},
	"myanmar standard time":           {"Myanmar Standard Time", "Asia/Rangoon"},
	"n. central asia standard time":   {"N. Central Asia Standard Time", "Asia/Novosibirsk"},
	"namibia standard time":           {"Namibia Standard Time", "Africa/Windhoek"},
	"nepal standard time":             {"Nepal Standard Time", "Asia/Katmandu"},
	"new zealand standard time":       {"New Zealand Standard Time", "Pacific/Auckland"},
	"newfoundland standard time":      {"Newfoundland Standard Time", "America/St_Johns"},
	"norfolk standard time":           {"Norfolk Standard Time", "Pacific/Norfolk"},
	"north asia east standard time":   {"North Asia East Standard Time", "Asia/Irkutsk"},
	"north asia standard time":        {"North Asia Standard Time", "Asia/Krasnoyarsk"},
	"north korea standard time":       {"North Korea Standard Time", "Asia/Pyongyang"},
	"omsk standard time":              {"Omsk Standard Time", "Asia/Omsk"},
	"pacific sa standard time":        {"Pacific SA Standard Time", "America/Santiago"},
	"pacific standard time":           {"Pacific Standard Time", "America/Los_Angeles"},
	"pacific standard time (mexico)":  {"Pacific Standard Time (Mexico)", "America/Tijuana"},
	"pakistan standard time":          {"Pakistan Standard Time", "Asia/Karachi"},
	"paraguay standard time":          {"Paraguay Standard Time", "America/Asuncion"},
	"qyzylorda standard time":         {"Qyzylorda Standard Time", "Asia/Qyzylorda"},
	"romance standard time":           {"Romance Standard Time", "Europe/Paris"},
	"russia time zone 10":             {"Russia Time Zone 10", "Asia/Srednekolymsk"},
	"russia time zone 11":             {"Russia Time Zone 11", "Asia/Kamchatka"},
	"russia time zone 3":              {"Russia Time Zone 3", "Europe/Samara"},
	"russian standard time":           {"Russian Standard Time", "Europe/Moscow"},
	"sa eastern standard time":        {"SA Eastern Standard Time", "America/Cayenne"},
	"sa pacific standard time":        {"SA Pacific Standard Time", "America/Bogota"},
	"sa western standard time":        {"SA Western Standard Time", "America/La_Paz"},
	"saint pierre standard time":      {"Saint Pierre Standard Time", "America/Miquelon"},
	"sakhalin standard time":          {"Sakhalin Standard Time", "Asia/Sakhalin"},
	"samoa standard time":             {"Samoa Standard Time", "Pacific/Apia"},
	"sao tome standard time":          {"Sao Tome Standard Time", "Africa/Sao_Tome"},
	"saratov standard time":           {"Saratov Standard Time", "Europe/Saratov"},
	"se asia standard time":           {"SE Asia Standard Time", "Asia/Bangkok"},
	"singapore standard time":         {"Singapore Standard Time", "Asia/Singapore"},
	"south africa standard time":      {"South Africa Standard Time", "Africa/Johannesburg"},
	"south sudan standard time":       {"South Sudan Standard Time", "Africa/Juba"},
	"sri lanka standard time":         {"Sri Lanka Standard Time", "Asia/Colombo"},
	"sudan standard time":             {"Sudan Standard Time", "Africa/Khartoum"},
	"syria standard time":             {"Syria Standard Time", "Asia/Damascus"},
	"taipei standard time":            {"Taipei Standard Time", "Asia/Taipei"},
	"tasmania standard time":          {"Tasmania Standard Time", "Australia/Hobart"},
	"tocantins standard time":         {"Tocantins Standard Time", "America/Araguaina"},
	"tokyo standard time":             {"Tokyo Standard Time", "Asia/Tokyo"},
	"tomsk standard time":             {"Tomsk Standard Time", "Asia/Tomsk"},
	"tonga standard time":             {"Tonga Standard Time", "Pacific/Tongatapu"},
	"transbaikal standard time":       {"Transbaikal Standard Time", "Asia/Chita"},
	"turkey standard time":            {"Turkey Standard Time", "Europe/Istanbul"},
	"turks and caicos standard time":  {"Turks And Caicos Standard Time", "America/Grand_Turk"},
	"ulaanbaatar standard time":       {"Ulaanbaatar Standard Time", "Asia/Ulaanbaatar"},
	"us eastern standard time":        {"US Eastern Standard Time", "America/Indianapolis"},
	"us mountain standard time":       {"US Mountain Standard Time", "America/Phoenix"},
	"utc":                             {"UTC", "Etc/UTC"},
	"utc+12":                          {"UTC+12", "Etc/GMT-12"},
	"utc+13":                          {"UTC+13", "Etc/GMT-13"},
	"utc-02":                          {"UTC-02", "Etc/GMT+2"},
	"utc-08":                          {"UTC-08", "Etc/GMT+8"},
	"utc-09":                          {"UTC-09", "Etc/GMT+9"},
	"utc-11":                          {"UTC-11", "Etc/GMT+11"},
	"venezuela standard time":         {"Venezuela Standard Time", "America/Caracas"},
	"vladivostok standard time":       {"Vladivostok Standard Time", "Asia/Vladivostok"},
	"volgograd standard time":         {"Volgograd Standard Time", "Europe/Volgograd"},
	"w. australia standard time":      {"W. Australia Standard Time", "Australia/Perth"},
	"w. central africa standard time": {"W. Central Africa Standard Time", "Africa/Lagos"},
	"w. europe standard time":         {"W. Europe Standard Time", "Europe/Berlin"},
	"w. mongolia standard time":       {"W. Mongolia Standard Time", "Asia/Hovd"},
	"west asia standard time":         {"West Asia Standard Time", "Asia/Tashkent"},
	"west bank standard time":         {"West Bank Standard Time", "Asia/Hebron"},
	"west pacific standard time":      {"West Pacific Standard Time", "Pacific/Port_Moresby"},
	"yakutsk standard time":           {"Yakutsk Standard Time", "Asia/Yakutsk"},
	"yukon standard time":             {"Yukon Standard Time", "America/Whitehorse"},
}
