-- 0006: what a rule was before, and keys that stand for another key's row.

-- When a formula was left last because copies got through; NULL = never.
ALTER TABLE rules ADD COLUMN former_at INTEGER CHECK (former_at IS NULL OR typeof(former_at) = 'integer');

-- The newest versions of each rule, the one in use among them.
CREATE TABLE rule_versions (
    rule_id INTEGER NOT NULL REFERENCES rules (id),
    version INTEGER NOT NULL CHECK (typeof(version) = 'integer' AND version >= 1),
    doc     BLOB    NOT NULL CHECK (typeof(doc) = 'blob'),
    since   INTEGER NOT NULL CHECK (typeof(since) = 'integer'),
    why     TEXT    NOT NULL DEFAULT '' CHECK (why IN ('', 'copies', 'merged')),
    PRIMARY KEY (rule_id, version)
);
INSERT INTO rule_versions (rule_id, version, doc, since)
SELECT id, version, doc, changed_at FROM rules;

-- Keys that mean a row: its own key, or that of a former formula. Written only while a
-- rule looks back.
CREATE TABLE tied_keys (
    key      TEXT    NOT NULL CHECK (typeof(key) = 'text'),
    rule_id  INTEGER NOT NULL,
    claim_id INTEGER NOT NULL,
    PRIMARY KEY (key, rule_id)
) WITHOUT ROWID;
CREATE INDEX tied_keys_claim ON tied_keys (claim_id);

-- As in 0002, and the ties go too.
DROP TRIGGER claims_gone;
CREATE TRIGGER claims_gone AFTER DELETE ON claims
BEGIN
    UPDATE rule_counts
    SET total = total - 1,
        claimed = claimed - (OLD.state = 'claimed'),
        done = done - (OLD.state = 'done'),
        retryable = retryable - (OLD.state = 'retryable'),
        held = held - (OLD.state = 'held')
    WHERE rule_id = OLD.rule_id;
    DELETE FROM arrivals WHERE claim_id = OLD.id;
    DELETE FROM tied_keys WHERE claim_id = OLD.id;
END;

-- The script knows no key but the one it asks for. One that stands for another key's
-- row is not a new one.
CREATE TRIGGER seen_tied INSTEAD OF INSERT ON seen
BEGIN
    SELECT RAISE(ABORT, 'this key is taken')
    WHERE EXISTS (
        SELECT 1 FROM tied_keys AS t
        JOIN claims AS c ON c.id = t.claim_id
        WHERE t.key = NEW.key AND t.rule_id = 1 AND c.key <> NEW.key);
END;
