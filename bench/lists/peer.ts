import pg from 'pg'
import type { ListFilter, SeedRow } from './rows.ts'

/** PostgreSQL with the same rows, and indexes that fit the lists: totals are read from an index alone. */
export type ListPeer = {
  /** A page of 25 and the totals, in one round trip. */
  readonly list: (filter: ListFilter) => Promise<unknown>
  readonly close: () => Promise<void>
}

export const openListPeer = async (url: string, rows: Iterable<SeedRow>): Promise<ListPeer> => {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(tables)
  let batch: SeedRow[] = []
  const insert = async (): Promise<void> => {
    await client.query(insertRows, [JSON.stringify(batch)])
    batch = []
  }
  for (const row of rows) {
    batch.push(row)
    if (batch.length === 10_000) await insert()
  }
  if (batch.length > 0) await insert()
  await client.query(indexes)
  await client.query('VACUUM ANALYZE bench_lists')
  return {
    list: ({ where }) =>
      client.query(`
        SELECT *, (SELECT row(count(*), sum(amount), sum(paid), sum(fee), sum(refunded)) FROM bench_lists WHERE ${where}) AS totals
        FROM bench_lists WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT 25`),
    close: async () => {
      await client.query('DROP TABLE bench_lists')
      await client.end()
    },
  }
}

const tables = `
  DROP TABLE IF EXISTS bench_lists;
  CREATE TABLE bench_lists (
    id bigserial PRIMARY KEY, created_at timestamptz NOT NULL, status text NOT NULL, method text NOT NULL,
    amount bigint NOT NULL, paid bigint NOT NULL, fee bigint NOT NULL, refunded bigint NOT NULL,
    external_id text NOT NULL, name text NOT NULL, document text NOT NULL, email text NOT NULL)`

const insertRows = `
  INSERT INTO bench_lists (created_at, status, method, amount, paid, fee, refunded, external_id, name, document, email)
  SELECT to_timestamp((r->>'createdAtMs')::float8 / 1000), r->>'status', r->>'method', (r->>'amountCents')::bigint,
    CASE WHEN r->>'status' IN ('APPROVED', 'REFUNDED', 'CHARGEBACK') THEN (r->>'amountCents')::bigint ELSE 0 END,
    CASE WHEN r->>'status' IN ('APPROVED', 'REFUNDED', 'CHARGEBACK') THEN (r->>'amountCents')::bigint / 100 ELSE 0 END,
    CASE WHEN r->>'status' = 'REFUNDED' THEN (r->>'amountCents')::bigint ELSE 0 END,
    r->>'externalId', r->'customer'->>'name', r->'customer'->>'document', r->'customer'->>'email'
  FROM jsonb_array_elements($1::jsonb) AS r`

const indexes = `
  CREATE INDEX ON bench_lists (created_at DESC, id DESC) INCLUDE (status, method, amount, paid, fee, refunded);
  CREATE INDEX ON bench_lists (status, method, created_at DESC, id DESC) INCLUDE (amount, paid, fee, refunded);
  CREATE INDEX ON bench_lists (method, amount) INCLUDE (status, paid, fee, refunded);
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ON bench_lists USING gin (email gin_trgm_ops, name gin_trgm_ops)`
