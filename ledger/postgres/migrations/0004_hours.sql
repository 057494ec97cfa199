-- 0004: what came hour by hour; hour is hours since 1970, UTC. Sharded as rule_counts is.
-- It begins empty: what came before was counted by the day alone.

CREATE TABLE calls_by_hour (
    hour       BIGINT NOT NULL,
    rule_id    BIGINT NOT NULL,
    shard      BIGINT NOT NULL,
    granted    BIGINT NOT NULL,
    copies     BIGINT NOT NULL,
    mismatches BIGINT NOT NULL,
    PRIMARY KEY (hour, rule_id, shard)
);
