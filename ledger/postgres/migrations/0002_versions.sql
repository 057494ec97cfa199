-- 0002: what a rule was before, and keys that stand for another key's row.

-- When a formula was left last because copies got through; NULL = never.
ALTER TABLE rules ADD COLUMN former_at BIGINT;

-- The newest versions of each rule, the one in use among them.
CREATE TABLE rule_versions (
    rule_id BIGINT NOT NULL,
    version BIGINT NOT NULL CHECK (version >= 1),
    doc     BYTEA  NOT NULL,
    since   BIGINT NOT NULL,
    why     TEXT   NOT NULL DEFAULT '' CHECK (why IN ('', 'copies', 'merged')),
    PRIMARY KEY (rule_id, version)
);
INSERT INTO rule_versions (rule_id, version, doc, since)
SELECT id, version, doc, changed_at FROM rules;

-- Keys that mean a row: its own key, or that of a former formula. Written only while a
-- rule looks back, and then for every new row, so that of two claims for one key that
-- come by different former keys, one meets the other here.
CREATE TABLE tied_keys (
    key      BYTEA  NOT NULL CHECK (length(key) BETWEEN 1 AND 2000),
    rule_id  BIGINT NOT NULL,
    claim_id BIGINT NOT NULL,
    PRIMARY KEY (key, rule_id)
);
CREATE INDEX tied_keys_claim ON tied_keys (claim_id);
