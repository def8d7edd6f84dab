-- A database of version 9 as todayd of 2026 wrote it, for tests that later versions still read it. Never changed:
-- it stands for the databases out there.
PRAGMA journal_mode = WAL;
BEGIN;
PRAGMA application_id = 1413767545;
CREATE TABLE choices (
  widget TEXT NOT NULL PRIMARY KEY,
  enabled INTEGER,
  has_content INTEGER NOT NULL,
  mode TEXT,
  lock_screen INTEGER NOT NULL,
  rank INTEGER,
  today INTEGER,
  status_bar INTEGER, added INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
CREATE TABLE defaults (
  app_group TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (app_group, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE snapshots (
  widget TEXT NOT NULL PRIMARY KEY,
  taken INTEGER NOT NULL,
  confirmed INTEGER NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE TABLE runs (
  widget TEXT NOT NULL,
  number INTEGER NOT NULL,
  started INTEGER NOT NULL,
  duration INTEGER NOT NULL,
  reason TEXT NOT NULL,
  result TEXT NOT NULL,
  failure TEXT,
  exit TEXT,
  error_output TEXT NOT NULL,
  processor INTEGER,
  memory INTEGER,
  PRIMARY KEY (widget, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE pushed (
  widget TEXT NOT NULL PRIMARY KEY,
  taken INTEGER NOT NULL,
  expires INTEGER,
  pushed_by TEXT,
  content TEXT NOT NULL
) STRICT;
CREATE TABLE revisions (
  app_group TEXT NOT NULL PRIMARY KEY,
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE memories (
  widget TEXT NOT NULL PRIMARY KEY,
  largest_mode TEXT,
  seen TEXT,
  not_before INTEGER,
  next_ask INTEGER,
  tried TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE settings (
  widget TEXT NOT NULL,
  name TEXT NOT NULL,
  is_secret INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (widget, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE samples (
  widget TEXT NOT NULL,
  name TEXT NOT NULL,
  number INTEGER NOT NULL,
  taken INTEGER NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (widget, name, number)
) STRICT, WITHOUT ROWID;
INSERT INTO choices VALUES ('org.example.btc', 1, 1, 'expanded', 1, 0, NULL, NULL, 0);
INSERT INTO choices VALUES ('org.example.weather@bern', 1, 1, NULL, 0, NULL, NULL, NULL, 1);
INSERT INTO defaults VALUES ('group.org.example', 'unit', '"celsius"');
INSERT INTO snapshots VALUES ('org.example.btc', 1700000000000000, 1700000060000000,
  '{"text":"Bitcoin 37,000","timeline":[{"date":1700003600000000,"content":{"text":"closed"}}],"policy":"never"}');
INSERT INTO pushed VALUES ('org.example.btc', 1700000030000000, 1700003630000000, 'user 1000', '{"text":"pushed"}');
INSERT INTO revisions VALUES ('group.org.example', 12);
INSERT INTO memories VALUES ('org.example.btc', 'compact',
  '{"groups":{"group.org.example":11},"mode":"compact","columns":60,"rows":4,"program":"539c2788a18624f4"}',
  1700001020000000, 9223372036854775807, '{"groups":{"group.org.example":12},"mode":"expanded"}');
INSERT INTO settings VALUES ('org.example.btc', 'CURRENCY', 0, 'CHF');
INSERT INTO settings VALUES ('org.example.btc', 'TOKEN', 1, 'hunter2');
INSERT INTO settings VALUES ('org.example.btc', 'CITIES', 0, 'New York
Bern');
INSERT INTO runs VALUES ('org.example.btc', 8, 1700000060000000, 10000000, 'retry', 'failed', 'rate limited',
  'exited with status 75', 'slow down', 35000, 12582912);
INSERT INTO samples VALUES ('org.example.btc', 'percentage', 1021, 1700000000000000, 62.0);
INSERT INTO samples VALUES ('org.example.btc', 'percentage', 1022, 1700000060000000, -0.5);
INSERT INTO samples VALUES ('org.example.btc', 'percentage', 1023, 1699000000000000, 1e308);
PRAGMA user_version = 9;
COMMIT;
