-- A database of version 1 as todayd of 2026 wrote it, for tests that later versions still read it. Never changed:
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
  rank INTEGER
) STRICT, WITHOUT ROWID;
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
  expires INTEGER,
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
  PRIMARY KEY (widget, number)
) STRICT, WITHOUT ROWID;
INSERT INTO choices VALUES ('org.example.btc', 1, 1, 'expanded', 1, 0);
INSERT INTO choices VALUES ('org.example.weather', 0, 0, NULL, 0, NULL);
INSERT INTO defaults VALUES ('group.org.example', 'cities', '["Köln","Wien"]');
INSERT INTO defaults VALUES ('group.org.example', 'unit', '"celsius"');
INSERT INTO snapshots VALUES ('org.example.btc', 1700000000000000, 1700000060000000, NULL,
  '{"text":"Bitcoin 37,000","severity":"good","percentage":12.5,"compact":{"type":"text","text":"37,000"}}');
INSERT INTO snapshots VALUES ('org.example.weather', 1700000000000000, 1700000000000000, 1700003600000000,
  '{"text":"12 °C"}');
INSERT INTO runs VALUES ('org.example.btc', 7, 1700000000000000, 250000, 'schedule', 'newData', NULL,
  'exited with status 0', '');
INSERT INTO runs VALUES ('org.example.btc', 8, 1700000060000000, 10000000, 'retry', 'failed',
  'timed out after 10 s (Timeout=10s)', 'killed by SIGKILL', 'curl: (28) timeout');
PRAGMA user_version = 1;
COMMIT;
