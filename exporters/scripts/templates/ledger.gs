// Does the work of an event once, however often the event comes. It asks Dedupe Desk
// before the work and reports after it.
//
// Call handleEvent(text) with the event as text from your own trigger, or publish the
// project as a web app: then doPost hands each call over. The password is the script
// property DEDUPE_TOKEN and never stands in this file.

var RULE = «js .Rule»;
var ADDRESS = «js .Address»;
var GO_ON = «.GoOn»; // work without asking where nobody answers
«- if .Each»
var ITEMS = «jsList .EachPath»; // where the event has the list of items
«- end»

// Your work. Return the id of what was made, or nothing; throw to fail.
function work(event«if .Each», item«end», key) {
  throw new Error('Put your work into the function work.');
}

function doPost(e) {
  handleEvent(e.postData.contents);
  return ContentService.createTextOutput('{"status":"done"}').setMimeType(ContentService.MimeType.JSON);
}

function handleEvent(text) {
  var event = JSON.parse(text);
  var owner = 'gs-' + Utilities.getUuid();
  var answer = insist('claim?answer=branch', { owner: owner, event: text });
  if (answer === null) {
    if (!GO_ON) throw new Error('Nobody could be asked, so nothing was done.');
    console.warn('Nobody could be asked, and the rule rather has the work done twice than not at all.');
«- if .Each»
    itemsOf(event).forEach(function (item) { work(event, item, null); });
«- else»
    work(event, null);
«- end»
    return;
  }
«- if .Each»
  var items = itemsOf(event);
  if (!Array.isArray(answer.results) || answer.results.length !== items.length) throw new Error('The answer does not tell each item, so nothing was done.');
  var failures = [];
  var mine = answer.results.filter(function (one) { return one.status === 'claimed'; }).map(function (one) { return one.key; });
  answer.results.forEach(function (one, i) {
    if (one.status === 'in_progress' && mine.indexOf(one.key) >= 0) return; // an item that stands here twice
    try {
      once(one, owner, function (key) { return work(event, items[i], key); });
    } catch (error) {
      failures.push(error);
    }
  });
  if (failures.length > 0) throw failures[0];
«- else»
  once(answer, owner, function (key) { return work(event, key); });
«- end»
}
«if .Each»
function itemsOf(event) {
  return ITEMS.reduce(function (at, name) { return at[name]; }, event);
}
«end»
function once(answer, owner, what) {
  if (['done', 'ignored'].indexOf(answer.status) >= 0) return; // a copy
  if (answer.status === 'in_progress') throw new Error('Another run is at this event. Look whether it ended well, and hand the event over again if not.');
  if (answer.status !== 'claimed') throw new Error('The key was not reserved, so nothing was done: ' + JSON.stringify(answer));
  var result;
  try {
    result = what(answer.key);
  } catch (error) {
    insist('release', { owner: owner, key: answer.key, error: String(error).slice(0, 500) });
    throw error;
  }
  var end = { owner: owner, key: answer.key };
  if (result !== undefined && result !== null) end.result = String(result);
  if (insist('done', end) === null) throw new Error('The work was done, but that could not be written down, so it may be done again.');
}

var STATUSES = ['claimed', 'done', 'in_progress', 'held', 'mismatch', 'ignored', 'released'];

// insist calls again, under the same owner, while nobody could answer, and returns null
// then. It throws where Dedupe Desk says no.
function insist(path, members) {
  members.rule = RULE;
  for (var i = 0, pauses = [1, 3, 6, 0]; i < pauses.length; i++) {
    var code = 0, answer = null;
    try {
      var response = UrlFetchApp.fetch(ADDRESS + '/v1/' + path, {
        method: 'post', contentType: 'application/json', payload: JSON.stringify(members), muteHttpExceptions: true, followRedirects: false,
        headers: { 'X-Api-Key': PropertiesService.getScriptProperties().getProperty('DEDUPE_TOKEN') },
      });
      code = response.getResponseCode();
      answer = JSON.parse(response.getContentText());
    } catch (error) {
      answer = null; // nobody answered, or a page came
    }
    var ours = answer !== null && typeof answer === 'object' && ('run' in answer || 'results' in answer || STATUSES.indexOf(answer.status) >= 0);
    if (ours && code < 300) return answer;
    if (ours && code >= 400 && (i === pauses.length - 1 || (code !== 429 && code < 500))) throw new Error('Dedupe Desk refused: ' + (answer.detail || code));
    Utilities.sleep(pauses[i] * 1000);
  }
  return null;
}
