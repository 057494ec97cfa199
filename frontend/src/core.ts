// The one script. The order matters: the language guard comes before anything
// that may format a number or a date.
import "./language";
import "./requests";
import "./session";
import "./copy";
import "./confirm";
import "./toast";
import "./time";
import "./status";
import "./shortcuts";

// Each page adds its own file here.
import "./chart_load";
import "./connect";
import "./design";
import "./keys";
import "./steps";
