package wdl

import "time"

var zoneFunctions = map[string]function{
	"convertfromutc":  {name: "convertFromUtc", min: 2, max: 3, call: convertFromUtc},
	"converttoutc":    {name: "convertToUtc", min: 2, max: 3, call: convertToUtc},
	"converttimezone": {name: "convertTimeZone", min: 3, max: 4, call: convertTimeZone},
}

// local is the form of a time whose zone nobody tells.
const local = "2006-01-02T15:04:05.0000000"

// argZone reads argument i as Microsoft's name of a time zone.
func argZone(name string, args []value, i int) (*time.Location, error) {
	s, err := argText(name, args, i)
	if err != nil {
		return nil, err
	}
	place, ok := Location(s)
	if !ok {
		return nil, fault(i, "%s needs Microsoft's name of a time zone here, such as 'W. Europe Standard Time', but this is %s.", name, Quote(s))
	}
	return place, nil
}

func convertFromUtc(_ *evaluator, args []value) (value, error) {
	t, err := argTime("convertFromUtc", args, 0)
	if err != nil {
		return nil, err
	}
	place, err := argZone("convertFromUtc", args, 1)
	if err != nil {
		return nil, err
	}
	return writtenAs(args, 2, t.In(place), local)
}

func convertToUtc(_ *evaluator, args []value) (value, error) {
	place, err := argZone("convertToUtc", args, 1)
	if err != nil {
		return nil, err
	}
	t, err := argLocalTime("convertToUtc", args, 0, place)
	if err != nil {
		return nil, err
	}
	return written(args, 2, t.UTC())
}

func convertTimeZone(_ *evaluator, args []value) (value, error) {
	from, err := argZone("convertTimeZone", args, 1)
	if err != nil {
		return nil, err
	}
	to, err := argZone("convertTimeZone", args, 2)
	if err != nil {
		return nil, err
	}
	t, err := argLocalTime("convertTimeZone", args, 0, from)
	if err != nil {
		return nil, err
	}
	return writtenAs(args, 3, t.In(to), local)
}
