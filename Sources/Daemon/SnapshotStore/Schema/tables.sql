-- SPDX-License-Identifier: MIT
-- "TDay".
PRAGMA application_id = 0x54446179;

-- What the user or the containing app has decided. NULL: never decided. today, lock_screen, status_bar: whether
-- the user shows the widget there. added: of a template, or of what is off until then.
CREATE TABLE choices (
  widget TEXT NOT NULL PRIMARY KEY,
  enabled INTEGER,
  has_content INTEGER NOT NULL,
  mode TEXT,
  lock_screen INTEGER NOT NULL,
  rank INTEGER,
  today INTEGER,
  status_bar INTEGER,
  added INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- What the user has set of widgets' settings. value: as the program gets it. is_secret: whether it was set as
-- a secret; it stays one when the manifest changes.
CREATE TABLE settings (
  widget TEXT NOT NULL,
  name TEXT NOT NULL,
  is_secret INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (widget, name)
) STRICT, WITHOUT ROWID;

-- The defaults of app groups. value: JSON.
CREATE TABLE defaults (
  app_group TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (app_group, key)
) STRICT, WITHOUT ROWID;

-- How often the defaults of a group were changed.
CREATE TABLE revisions (
  app_group TEXT NOT NULL PRIMARY KEY,
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The last good content. Times: microseconds since 1970. content: JSON, last because it is large.
CREATE TABLE snapshots (
  widget TEXT NOT NULL PRIMARY KEY,
  taken INTEGER NOT NULL,
  confirmed INTEGER NOT NULL,
  content TEXT NOT NULL
) STRICT;

-- Content from outside, above what the widget says itself. pushed_by: the client in words.
CREATE TABLE pushed (
  widget TEXT NOT NULL PRIMARY KEY,
  taken INTEGER NOT NULL,
  expires INTEGER,
  pushed_by TEXT,
  content TEXT NOT NULL
) STRICT;

-- largest_mode: the largest display mode, as the widget has said. seen: what its last successful update
-- was made from (JSON). next_ask: when that update wants the next one (the largest number: never).
-- not_before: until when a failed update wants none. tried: what the last update was made from, if it failed (JSON).
CREATE TABLE memories (
  widget TEXT NOT NULL PRIMARY KEY,
  largest_mode TEXT,
  seen TEXT,
  not_before INTEGER,
  next_ask INTEGER,
  tried TEXT
) STRICT, WITHOUT ROWID;

-- The update log. number counts up per widget; duration, processor: microseconds; memory: the most bytes at
-- one time. NULL where the kernel does not count them.
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

-- The last values of widgets' numbers. number: counts up in each series; taken: microseconds since 1970.
CREATE TABLE samples (
  widget TEXT NOT NULL,
  name TEXT NOT NULL,
  number INTEGER NOT NULL,
  taken INTEGER NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (widget, name, number)
) STRICT, WITHOUT ROWID;
