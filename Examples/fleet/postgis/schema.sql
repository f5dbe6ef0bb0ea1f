-- The positions of a fleet. A device has one position for each time, so that storing a position again changes nothing.
create extension if not exists postgis;

create table fix (
    device text not null,
    time timestamptz not null,
    position geography(PointZ, 4326) not null,
    accuracy real,
    speed real,
    course real,
    received timestamptz not null,
    primary key (device, time)
);
-- Rows come in the order of time, so that a small index of ranges suffices for "everything between two times".
create index fix_time on fix using brin (time);
create index fix_position on fix using gist (position);

-- The rows that `store` copies before it inserts those that are new.
create unlogged table incoming (
    device text, time timestamptz, lat double precision, lon double precision, altitude double precision,
    accuracy real, speed real, course real, received timestamptz
);

create view last_fix as
    select distinct on (device) * from fix order by device, time desc;
