-- Keys of events in PostgreSQL 13 or newer (encoding UTF8). Run it once, as an owner who
-- may create a schema:
--
--   psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -1 -f THIS-FILE
--
-- It may be run again: the keys stay, the functions are made anew.

CREATE SCHEMA IF NOT EXISTS dedupe;

CREATE TABLE IF NOT EXISTS dedupe.keys (
  rule        text NOT NULL,
  key         text COLLATE "C" NOT NULL CHECK (key <> ''),
  state       text NOT NULL CHECK (state IN ('claimed', 'done', 'retryable')),
  owner       text,
  attempts    integer NOT NULL DEFAULT 1,
  claimed_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  lease_until timestamptz,
  done_at     timestamptz,
  result      text,
  last_error  text,
  PRIMARY KEY (rule, key)
);

-- part makes text of a value as the rule does: digits without a loose end, one space for
-- each run of them, Unicode NFC. A value that is not there stops the statement.
CREATE OR REPLACE FUNCTION dedupe.part(value jsonb, number integer, step text DEFAULT '') RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $dedupe$
DECLARE
  t text;
BEGIN
  CASE jsonb_typeof(value)
    WHEN 'string', 'boolean' THEN t := value #>> '{}';
    WHEN 'number' THEN t := trim_scale((value #>> '{}')::numeric)::text;
    ELSE RAISE EXCEPTION 'Part % of the event key is missing, null, a list or an object.', number USING ERRCODE = 'invalid_parameter_value';
  END CASE;
  t := normalize(t, NFC);
  CASE step WHEN 'lower' THEN t := lower(t); WHEN 'upper' THEN t := upper(t); ELSE NULL; END CASE;
  t := btrim(regexp_replace(normalize(t, NFC), E'[\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+', ' ', 'g'), ' ');
  IF t = '' THEN
    RAISE EXCEPTION 'Part % of the event key is empty.', number USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF t ~ E'[\\u0001-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]' THEN
    RAISE EXCEPTION 'Part % of the event key holds a control character or one that turns the direction of writing.', number USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN replace(replace(t, '%', '%25'), ':', '%3A');
END $dedupe$;

-- either stands another text in for a value that is not there.
CREATE OR REPLACE FUNCTION dedupe.either(value jsonb, other text) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $dedupe$
  SELECT CASE WHEN value IS NULL OR value = 'null' OR (jsonb_typeof(value) = 'string' AND (value #>> '{}') ~ E'^[\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*$') THEN to_jsonb(other) ELSE value END
$dedupe$;

-- whole checks a key that was put together.
CREATE OR REPLACE FUNCTION dedupe.whole(key text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $dedupe$
BEGIN
  IF char_length(key) > 255 THEN
    RAISE EXCEPTION 'The event key has % characters; at most 255 are allowed.', char_length(key) USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF key ~ E'^[\\u00ad\\u034f\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f]|[\\u00ad\\u034f\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f]$' THEN
    RAISE EXCEPTION 'The event key begins or ends with a character that cannot be seen.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN key;
END $dedupe$;

-- What another form of the rule left behind would be taken for the same function.
«- if .Each»
DROP FUNCTION IF EXISTS dedupe.«.Function»(jsonb, jsonb);
«- else»
DROP FUNCTION IF EXISTS dedupe.«.Function»_items(jsonb, jsonb);
DROP FUNCTION IF EXISTS dedupe.«.Function»(jsonb, jsonb, jsonb);
«- end»

-- The key of an event by the rule. Names of headers are in small letters.
CREATE OR REPLACE FUNCTION dedupe.«.Function»(body jsonb, headers jsonb DEFAULT '{}'«if .Each», item jsonb DEFAULT NULL«end») RETURNS text
LANGUAGE sql IMMUTABLE AS $dedupe$
  SELECT dedupe.whole(«.Key»)
$dedupe$;
«if .Each»
-- The items of an event's list with their keys, in order. A list that is not there
-- or is empty stops the statement.
CREATE OR REPLACE FUNCTION dedupe.«.Function»_items(body jsonb, headers jsonb DEFAULT '{}') RETURNS TABLE (number bigint, item jsonb, key text)
LANGUAGE plpgsql IMMUTABLE AS $dedupe$
DECLARE
  list jsonb := body #> «.List»;
BEGIN
  IF jsonb_typeof(list) IS DISTINCT FROM 'array' OR list = '[]' THEN
    RAISE EXCEPTION 'The event has no items where the rule looks for them.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN QUERY SELECT o.n, o.i, dedupe.«.Function»(body, headers, o.i) FROM jsonb_array_elements(list) WITH ORDINALITY AS o(i, n);
END $dedupe$;
«end»
-- claim is for work that is not a row of this database. It returns claimed, and then the
-- work is yours under that owner, or in_progress, done, or held: a person has to look.
CREATE OR REPLACE FUNCTION dedupe.claim(of_rule text, of_key text, by_owner text, lease interval, ask boolean DEFAULT false) RETURNS text
LANGUAGE plpgsql AS $dedupe$
DECLARE
  found_state text;
  moment timestamptz;
BEGIN
  IF coalesce(by_owner, '') = '' OR lease <= interval '0' THEN
    RAISE EXCEPTION 'A claim needs an owner and a time allowed.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  moment := clock_timestamp();
  INSERT INTO dedupe.keys AS k (rule, key, state, owner, claimed_at, lease_until)
  VALUES (of_rule, of_key, 'claimed', by_owner, moment, moment + lease)
  ON CONFLICT (rule, key) DO UPDATE
    SET state = 'claimed', owner = by_owner, claimed_at = moment, lease_until = clock_timestamp() + lease,
        attempts = k.attempts + CASE WHEN k.state = 'claimed' AND k.owner = by_owner THEN 0 ELSE 1 END
    WHERE k.state = 'retryable'
       OR (k.state = 'claimed' AND k.owner = by_owner AND k.lease_until > clock_timestamp())
       OR (k.state = 'claimed' AND k.lease_until <= clock_timestamp() AND NOT ask)
  RETURNING k.state INTO found_state;
  IF found_state IS NOT NULL THEN
    RETURN 'claimed';
  END IF;
  SELECT CASE WHEN k.state = 'claimed' AND k.lease_until <= clock_timestamp() AND ask THEN 'held' WHEN k.state = 'done' THEN 'done' ELSE 'in_progress' END
    INTO found_state FROM dedupe.keys AS k WHERE k.rule = of_rule AND k.key = of_key;
  RETURN coalesce(found_state, 'in_progress');
END $dedupe$;

-- done and release report the end of claimed work. They return false where the key is no
-- longer that owner's: then the work may have been done twice.
CREATE OR REPLACE FUNCTION dedupe.done(of_rule text, of_key text, by_owner text, of_result text DEFAULT NULL) RETURNS boolean
LANGUAGE sql AS $dedupe$
  WITH closed AS (
    UPDATE dedupe.keys SET state = 'done', done_at = clock_timestamp(), result = of_result, lease_until = NULL
    WHERE rule = of_rule AND key = of_key AND owner = by_owner AND state <> 'done' RETURNING 1)
  SELECT EXISTS (SELECT 1 FROM closed)
      OR EXISTS (SELECT 1 FROM dedupe.keys WHERE rule = of_rule AND key = of_key AND owner = by_owner AND state = 'done')
$dedupe$;

CREATE OR REPLACE FUNCTION dedupe.release(of_rule text, of_key text, by_owner text, why text DEFAULT NULL) RETURNS boolean
LANGUAGE sql AS $dedupe$
  WITH freed AS (
    UPDATE dedupe.keys SET state = 'retryable', last_error = why, lease_until = NULL
    WHERE rule = of_rule AND key = of_key AND owner = by_owner AND state = 'claimed' RETURNING 1)
  SELECT EXISTS (SELECT 1 FROM freed)
$dedupe$;

-- What needs a person: work that nobody reported, and work that failed and was not done again.
CREATE OR REPLACE VIEW dedupe.stuck AS
  SELECT rule, key, state, owner, attempts, claimed_at, lease_until, last_error
  FROM dedupe.keys
  WHERE (state = 'claimed' AND lease_until < now()) OR (state = 'retryable' AND claimed_at < now() - interval '1 hour')
  ORDER BY claimed_at;
