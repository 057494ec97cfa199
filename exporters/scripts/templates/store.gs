// Does the work of an event once, however often the event comes, by a list of keys in the
// properties of this Apps Script project. Nothing else is asked.
//
// Call handleEvent(event) from your own trigger, or publish the project as a web app: then
// doPost hands each call over. The keys are cleaned up by cleanUpKeys, which needs a daily
// trigger, as alertStuckKeys does.

var RULE = «js .Rule»;
var LEASE_MS = «.LeaseMS»; // time allowed for one run
var ASK = «.Ask»; // true: an event whose run died waits for a person
var KEEP_DAYS = «.KeepDays»; // how long a finished key is known
var DECIDE_KEY = ''; // the key that you decide about by hand, as stuckKeys shows it

// Your work. Return the id of what was made, or nothing; throw to fail.
function work(event«if .Each», item«end», key) {
  throw new Error('Put your work into the function work.');
}

function handleEvent(event) {
«- if .Each»
  var items = read(«jsList .ItemsPath», { body: event });
  if (!Array.isArray(items) || items.length === 0) throw new Error('The event has no items where the rule looks for them.');
  var failures = [];
  items.forEach(function (item) {
    try {
      once(keyOf(event, item), function (key) { return work(event, item, key); });
    } catch (error) {
      failures.push(error);
    }
  });
  if (failures.length > 0) throw failures[0];
«- else»
  once(keyOf(event), function (key) { return work(event, key); });
«- end»
}

function doPost(e) {
  handleEvent(JSON.parse(e.postData.contents));
  return ContentService.createTextOutput('{"status":"done"}').setMimeType(ContentService.MimeType.JSON);
}

// once does the work where the key is nobody's.
function once(key, what) {
  var owner = Utilities.getUuid();
  var status = claimKey(key, owner);
  if (status === 'held') throw new Error('A person has to decide about ' + key + ': its run did not report.');
  if (status === 'in_progress') throw new Error('Another run is at ' + key + '. Look whether it ended well, and hand the event over again if not.');
  if (status !== 'claimed') return; // a copy
  var result;
  try {
    result = what(key);
  } catch (error) {
    change(key, owner, function (entry) { return { s: 'retryable', t: entry.t, o: '', e: String(error).slice(0, 200) }; });
    throw error;
  }
  change(key, owner, function (entry) {
    return { s: 'done', t: Date.now(), r: result === undefined || result === null ? '' : String(result).slice(0, 200), o: entry.o };
  });
}

// keyOf makes the key as the rule does. It throws for an event without one.
function keyOf(event«if .Each», item«end») {
  var from = { body: event«if .Each», item: item«end» };
  var key = «.Key»;
  if (Array.from(key).length > 255) throw new Error('The event key is longer than 255 characters.');
  if (/^[\u00ad\u034f\u180b-\u180f\u200b-\u200d\u2060-\u206f\u3164\ufe00-\ufe0f]|[\u00ad\u034f\u180b-\u180f\u200b-\u200d\u2060-\u206f\u3164\ufe00-\ufe0f]$/.test(key)) {
    throw new Error('The event key begins or ends with a character that cannot be seen.');
  }
  return key;
}

// read follows names of fields, and places in lists, which are numbers.
function read(path, from) {
  return path.reduce(function (at, name) {
    if (at === null || typeof at !== 'object' || Array.isArray(at) !== (typeof name === 'number')) return undefined;
    return Object.prototype.hasOwnProperty.call(at, name) ? at[name] : undefined;
  }, from);
}

// part makes text of a value: one space for each run of them, Unicode NFC.
function part(value, number, step, other) {
  if (other !== undefined && (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))) value = other;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw new Error('Part ' + number + ' of the event key is missing, null, a list or an object.');
  }
  if (typeof value === 'number' && (!isFinite(value) || Math.abs(value) > 9007199254740991 || (value !== 0 && Math.abs(value) < 1e-6))) {
    throw new Error('Part ' + number + ' of the event key is a number that Apps Script cannot hold exactly.');
  }
  var text = String(value).normalize('NFC');
  if (step === 'lower') text = text.toLowerCase();
  if (step === 'upper') text = text.toUpperCase();
  text = text.normalize('NFC').replace(/[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g, ' ').replace(/^ | $/g, '');
  if (text === '') throw new Error('Part ' + number + ' of the event key is empty.');
  if (/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/.test(text)) {
    throw new Error('Part ' + number + ' of the event key holds a control character or one that turns the direction of writing.');
  }
  return text.replace(/%/g, '%25').replace(/:/g, '%3A');
}

var PREFIX = 'once:' + RULE + ':';

// locked keeps all other runs of this project out.
function locked(what) {
  var lock = LockService.getScriptLock();
  if (!lock.tryLock(30000)) throw new Error('The list of keys was busy for half a minute. Nothing was done.');
  try {
    return what(PropertiesService.getScriptProperties());
  } finally {
    lock.releaseLock();
  }
}

function claimKey(key, owner) {
  return locked(function (store) {
    var text = store.getProperty(PREFIX + key);
    var entry = text === null ? null : JSON.parse(text);
    if (entry !== null && entry.s !== 'retryable') {
      if (entry.s === 'done') return 'done';
      if (Date.now() < entry.u) return 'in_progress';
      if (ASK) return 'held';
    }
    store.setProperty(PREFIX + key, JSON.stringify({ s: 'claimed', o: owner, t: Date.now(), u: Date.now() + LEASE_MS }));
    return 'claimed';
  });
}

// change closes a key that is still the owner's.
function change(key, owner, to) {
  locked(function (store) {
    var text = store.getProperty(PREFIX + key);
    var entry = text === null ? null : JSON.parse(text);
    if (entry === null || entry.o !== owner) {
      console.error('The key ' + key + ' is no longer held by this run, so its work may have been done twice.');
      return;
    }
    store.setProperty(PREFIX + key, JSON.stringify(to(entry)));
  });
}

function entries() {
  var all = PropertiesService.getScriptProperties().getProperties();
  return Object.keys(all).filter(function (name) { return name.indexOf(PREFIX) === 0; })
    .map(function (name) { return { name: name, key: name.slice(PREFIX.length), entry: JSON.parse(all[name]) }; });
}

// stuckKeys lists what nobody reported in time, and what failed and was not done again
// within an hour. Run it in the editor to see them.
function stuckKeys() {
  var stuck = entries().filter(function (e) {
    return (e.entry.s === 'claimed' && Date.now() >= e.entry.u) || (e.entry.s === 'retryable' && Date.now() - e.entry.t > 3600000);
  });
  stuck.forEach(function (e) { console.log(e.key + ' ' + e.entry.s + ' since ' + new Date(e.entry.t).toISOString() + ' ' + (e.entry.e || '')); });
  return stuck;
}

// alertStuckKeys writes a mail to you where there are any.
function alertStuckKeys() {
  var stuck = stuckKeys();
  if (stuck.length === 0) return;
  MailApp.sendEmail(Session.getEffectiveUser().getEmail(), stuck.length + ' events need you (' + RULE + ')',
    'Their runs did not report, or failed. Look whether the work was done. Then put the key into DECIDE_KEY and run finishKey or forgetKey.\n\n' + stuck.map(function (e) { return e.key; }).join('\n'));
}

// finishKey closes a key whose work was done; forgetKey lets its event run again. In the
// editor they take the key of DECIDE_KEY.
function finishKey(key) {
  decide(key, function (store, name) { store.setProperty(name, JSON.stringify({ s: 'done', t: Date.now(), r: 'by hand' })); });
}
function forgetKey(key) {
  decide(key, function (store, name) { store.deleteProperty(name); });
}
function decide(key, what) {
  locked(function (store) {
    var name = PREFIX + (typeof key === 'string' ? key : DECIDE_KEY);
    if (store.getProperty(name) === null) throw new Error('There is no such key: put one of stuckKeys between the quotes of DECIDE_KEY and save.');
    what(store, name);
  });
}

// cleanUpKeys forgets what was finished long ago. The store holds some thousand keys.
function cleanUpKeys() {
  locked(function (store) {
    entries().forEach(function (e) {
      if (e.entry.s === 'done' && Date.now() - e.entry.t > KEEP_DAYS * 86400000) store.deleteProperty(e.name);
    });
  });
}
