-- 0003: the face for the seed article's dedupe.py, which works on a table named
-- seen(key, state, claimed_at, done_at) with times in Unix seconds. It maps the
-- script's statements onto the rule default, whose id is 1, by the machine's time.
--
-- The script believes it may take a key if it finds no row, or a row in state
-- 'claimed' whose claimed_at is older than its --lease. So the view leaves out keys
-- that were given back and are due, and shows claimed_at = now for every key that
-- the script may not take. What it tries all the same is refused.

CREATE VIEW ledger_now AS
SELECT CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER) AS ms;

-- Keys of the rule default with what may be done to them now.
CREATE VIEW seen_keys AS
SELECT c.*, n.ms AS now,
    c.state = 'retryable' AND c.next_try_at <= n.ms
        AND (r.max_attempts = 0 OR c.attempts < r.max_attempts) AS due,
    c.state = 'claimed' AND c.lease_until <= n.ms AND r.on_expiry = 'next'
        AND (r.max_attempts = 0 OR c.attempts < r.max_attempts) AS overdue
FROM claims AS c
CROSS JOIN rules AS r ON r.id = 1
CROSS JOIN ledger_now AS n
WHERE c.rule_id = 1;

CREATE VIEW seen AS
SELECT key,
    CASE state WHEN 'done' THEN 'done' ELSE 'claimed' END AS state,
    CASE WHEN state = 'done' OR overdue THEN claimed_at ELSE now END / 1000.0 AS claimed_at,
    CASE state WHEN 'done' THEN done_at / 1000.0 END AS done_at
FROM seen_keys
WHERE NOT due;

-- claim of a key that the script did not see: a new one, or one given back and due.
CREATE TRIGGER seen_claim INSTEAD OF INSERT ON seen
BEGIN
    SELECT RAISE(ABORT, 'only claims can be added to seen')
    WHERE NEW.state IS NOT 'claimed' OR typeof(NEW.key) <> 'text';
    SELECT RAISE(ABORT, 'the key must have 1 to 255 characters, none of them a control character')
    WHERE trim(NEW.key) = '' OR length(NEW.key) > 255 OR instr(NEW.key, char(0)) > 0
        OR NEW.key GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159)
            || char(1564, 8206, 8207, 8232, 8233, 8234) || '-' || char(8238, 8294) || '-' || char(8297) || ']*';
    SELECT RAISE(ABORT, 'this key is taken')
    WHERE EXISTS (SELECT 1 FROM seen_keys WHERE key = NEW.key AND NOT due);

    INSERT INTO events (rule_id, key, at, kind, owner, fence)
    SELECT 1, key, claimed_at, 'granted', owner, 1 FROM seen_keys WHERE key = NEW.key AND due AND fence = 1;
    INSERT INTO events (rule_id, key, at, kind, fence)
    SELECT 1, key, now, 'granted', fence + 1 FROM seen_keys WHERE key = NEW.key AND due;
    UPDATE claims
    SET state = 'claimed', version = version + 1, fence = fence + 1, attempts = attempts + 1,
        token = (fence + 1) || '.' || lower(hex(randomblob(16))), owner = '', plain = 1, released = 0,
        lease = (SELECT lease FROM rules WHERE id = 1),
        claimed_at = (SELECT ms FROM ledger_now),
        lease_until = (SELECT ms FROM ledger_now) + (SELECT lease FROM rules WHERE id = 1),
        next_try_at = NULL,
        changed_at = (SELECT ms FROM ledger_now),
        called_at = (SELECT ms FROM ledger_now),
        stuck_at = (SELECT ms FROM ledger_now) + CASE
            WHEN attempts + 1 > 3 THEN 0
            WHEN attempts + 1 = 3 THEN (SELECT lease FROM rules WHERE id = 1)
            ELSE (SELECT lease + min(lease, 120000) FROM rules WHERE id = 1) END
    WHERE id = (SELECT id FROM seen_keys WHERE key = NEW.key AND due);

    INSERT INTO claims (rule_id, key, state, fence, token, plain, attempts, lease,
        first_seen, claimed_at, lease_until, changed_at, called_at, stuck_at)
    SELECT 1, NEW.key, 'claimed', 1, '1.' || lower(hex(randomblob(16))), 1, 1, r.lease,
        n.ms, n.ms, n.ms + r.lease, n.ms, n.ms, n.ms + r.lease + min(r.lease, 120000)
    FROM rules AS r
    CROSS JOIN ledger_now AS n
    WHERE r.id = 1 AND NOT EXISTS (SELECT 1 FROM claims WHERE key = NEW.key AND rule_id = 1);
END;

-- claim of a key whose time ran out, and done.
CREATE TRIGGER seen_change INSTEAD OF UPDATE ON seen
BEGIN
    SELECT RAISE(ABORT, 'only claim and done can change seen')
    WHERE NEW.key IS NOT OLD.key
        OR NEW.state IS NULL OR NEW.state NOT IN ('claimed', 'done')
        OR (OLD.state = 'done' AND NEW.state = 'claimed');
    SELECT RAISE(ABORT, 'somebody else is on this key')
    WHERE NEW.state = 'claimed'
        AND NOT EXISTS (SELECT 1 FROM seen_keys WHERE key = NEW.key AND overdue);
    -- The script carries no token, so a done counts for whichever plain grant
    -- stands: after a takeover too, since the work did happen and to refuse it
    -- would make the next copy do it again.
    SELECT RAISE(ABORT, 'another program holds this key: only that one can report it finished')
    WHERE NEW.state = 'done' AND OLD.state <> 'done'
        AND NOT EXISTS (SELECT 1 FROM claims WHERE key = NEW.key AND rule_id = 1 AND plain = 1 AND token <> '');

    INSERT INTO events (rule_id, key, at, kind, owner, fence)
    SELECT 1, key, claimed_at, 'granted', owner, 1 FROM seen_keys
    WHERE key = NEW.key AND NEW.state = 'claimed' AND overdue AND fence = 1;
    INSERT INTO events (rule_id, key, at, kind, fence)
    SELECT 1, key, now, 'took_over', fence + 1 FROM seen_keys
    WHERE key = NEW.key AND NEW.state = 'claimed' AND overdue;
    UPDATE claims
    SET version = version + 1, fence = fence + 1, attempts = attempts + 1,
        token = (fence + 1) || '.' || lower(hex(randomblob(16))), owner = '', plain = 1, released = 0,
        taken_over = 1,
        lease = (SELECT lease FROM rules WHERE id = 1),
        claimed_at = (SELECT ms FROM ledger_now),
        lease_until = (SELECT ms FROM ledger_now) + (SELECT lease FROM rules WHERE id = 1),
        changed_at = (SELECT ms FROM ledger_now),
        called_at = (SELECT ms FROM ledger_now),
        stuck_at = (SELECT ms FROM ledger_now) + CASE
            WHEN attempts + 1 > 3 THEN 0
            WHEN attempts + 1 = 3 THEN (SELECT lease FROM rules WHERE id = 1)
            ELSE (SELECT lease + min(lease, 120000) FROM rules WHERE id = 1) END
    WHERE NEW.state = 'claimed' AND id = (SELECT id FROM seen_keys WHERE key = NEW.key AND overdue);

    UPDATE claims
    SET state = 'done', version = version + 1, done_at = (SELECT ms FROM ledger_now),
        next_try_at = NULL, result = '', stuck_at = NULL,
        changed_at = (SELECT ms FROM ledger_now), called_at = (SELECT ms FROM ledger_now)
    WHERE NEW.state = 'done' AND key = NEW.key AND rule_id = 1
        AND state <> 'done' AND plain = 1 AND token <> '';
END;

-- release, and prune of one row.
CREATE TRIGGER seen_delete INSTEAD OF DELETE ON seen
BEGIN
    -- A release is refused after a takeover: it would free what another run holds.
    SELECT RAISE(ABORT, 'another run holds this key: only that one can give it back')
    WHERE OLD.state = 'claimed'
        AND NOT EXISTS (
            SELECT 1 FROM claims
            WHERE key = OLD.key AND rule_id = 1 AND plain = 1 AND taken_over = 0 AND token <> '');

    INSERT INTO events (rule_id, key, at, kind, fence)
    SELECT 1, key, (SELECT ms FROM ledger_now), 'released', fence FROM claims
    WHERE OLD.state = 'claimed' AND key = OLD.key AND rule_id = 1 AND released = 0;
    UPDATE claims
    SET state = 'retryable', version = version + 1, released = 1, last_error = '',
        next_try_at = (SELECT ms FROM ledger_now),
        changed_at = (SELECT ms FROM ledger_now),
        called_at = (SELECT ms FROM ledger_now),
        stuck_at = (SELECT ms FROM ledger_now) + CASE
            WHEN attempts >= 3 THEN 0
            ELSE (SELECT CASE WHEN retry_window < 0 THEN 3600000 ELSE retry_window END FROM rules WHERE id = 1) END
    WHERE OLD.state = 'claimed' AND key = OLD.key AND rule_id = 1 AND released = 0;

    DELETE FROM events WHERE OLD.state = 'done' AND key = OLD.key AND rule_id = 1;
    DELETE FROM claims WHERE OLD.state = 'done' AND key = OLD.key AND rule_id = 1 AND state = 'done';
END;
