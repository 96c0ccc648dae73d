import cluster from 'node:cluster'
import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import pg from 'pg'
import Type, { type Static } from 'typebox'
import { dynamicBrCode } from '../../engine/payments/methods/pix/br-code.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import type { CalendarDate } from '../../engine/shared/calendar.ts'
import type { PixKeyId } from '../../engine/shared/ids.ts'
import type { Cents } from '../../engine/shared/money.ts'
import { listOfRows, listView } from '../../gateway/resources/list.ts'
import { noPayee } from '../../gateway/resources/payments/fiscal.ts'
import { pixCharge, qrCodeView } from '../../gateway/resources/payments/pix-charge.ts'
import { serializer } from '../../gateway/schema/serialize.ts'
import type { Company } from '../target.ts'

/**
 * The peer: the same work, built as most would. Fastify checks the body, PostgreSQL commits idempotency row, charge row and
 * outbox row in one transaction and one round trip, with an index for lists and one for expiry. BR Code, QR image and
 * answer are made by the service's own functions, so that what is compared is how the two are built. It is spared ledger,
 * timeline, webhooks, and checks of documents and the like.
 *
 * Settings: PORT, PG_URL, COMPANIES_FILE, PROCESSES, POOL (connections of each process).
 */
const database = process.env.PG_URL!

async function createTables(): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  await client.query(tables)
  await client.end()
}

async function serve(): Promise<void> {
  const companies = JSON.parse(readFileSync(process.env.COMPANIES_FILE!, 'utf8')) as Company[]
  const companyIds = new Map(companies.map(({ id, secret }) => [secretHash(secret), id]))
  const pool = new pg.Pool({ connectionString: database, max: Number(process.env.POOL) })
  const app = fastify({ logger: false, ajv: { customOptions: { coerceTypes: false } } })

  /** The company that sends a request; undefined when 401 has been sent. */
  const companyOf = (request: FastifyRequest, reply: FastifyReply): string | undefined => {
    const companyId = companyIds.get(secretHash(request.headers.authorization?.slice('Bearer '.length) ?? ''))
    if (companyId === undefined) void reply.code(401).send({ code: 'UNAUTHORIZED' })
    return companyId
  }

  app.post<{ Body: Static<typeof body> }>('/v1/pix/charges', { schema: { body } }, async (request, reply) => {
    const companyId = companyOf(request, reply)
    if (companyId === undefined) return reply
    const { amount, description, customer, externalId, expiresInSeconds, metadata } = request.body
    const key = request.headers['idempotency-key'] as string
    const fingerprint = hash('sha256', JSON.stringify(request.body), 'base64url')
    const createdAt = new Date()
    const txid = randomBytes(16).toString('hex')
    const charge: Charge = {
      id: `txn_${createdAt.getTime().toString(36)}${randomBytes(9).toString('hex')}`,
      company_id: companyId,
      txid,
      copy_paste: copyPasteOf(randomBytes(16).toString('hex'), amount),
      status: 'PENDING',
      amount: String(amount),
      description,
      customer_name: customer.name,
      customer_document: customer.document,
      customer_email: customer.email,
      external_id: externalId,
      metadata,
      created_at: createdAt,
      expires_at: new Date(createdAt.getTime() + 1000 * expiresInSeconds),
    }
    const values = [key, fingerprint, ...Object.values(charge)]
    const created = await pool.query({ name: 'create', text: createCharge, values })
    if (created.rowCount === 1) return sendCreated(reply, charge)
    const earlier = await pool.query<Charge & { readonly fingerprint: string }>({
      name: 'earlier',
      text: findByKey,
      values: [companyId, key],
    })
    const { fingerprint: first, ...found } = earlier.rows[0]!
    if (first !== fingerprint) return reply.code(422).send({ code: 'IDEMPOTENCY_KEY_REUSED' })
    return sendCreated(reply.header('Idempotent-Replayed', 'true'), found)
  })

  app.get<{ Params: { id: string } }>('/v1/pix/charges/:id', async (request, reply) => {
    const companyId = companyOf(request, reply)
    if (companyId === undefined) return reply
    const found = await pool.query<Charge>({
      name: 'find',
      text: findById,
      values: [request.params.id, companyId],
    })
    if (found.rowCount === 0) return reply.code(404).send({ code: 'NOT_FOUND' })
    return send(reply, found.rows[0]!)
  })

  app.get('/v1/pix/charges', async (request, reply) => {
    const companyId = companyOf(request, reply)
    if (companyId === undefined) return reply
    const found = await pool.query<Charge & { readonly total: string }>({
      name: 'list',
      text: listNewest,
      values: [companyId, pageSize],
    })
    const listed = { rows: found.rows, total: Number(found.rows[0]?.total ?? 0), asOf: 0 }
    const view = listView(listed, { page: 1, pageSize }, (charge) =>
      pixCharge.view(transactionOf(charge), today),
    )
    return reply.header('Content-Type', 'application/json').send(writeList(view))
  })

  await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
}

type Charge = {
  readonly id: string
  readonly company_id: string
  readonly txid: string
  readonly copy_paste: string
  readonly status: string
  readonly amount: string
  readonly description: string
  readonly customer_name: string
  readonly customer_document: string
  readonly customer_email: string
  readonly external_id: string
  readonly metadata: object
  readonly created_at: Date
  readonly expires_at: Date
}

const copyPasteOf = (token: string, amount: number): string =>
  dynamicBrCode({
    location: `pix.example.com/qr/v2/cob/${token}`,
    amountCents: amount as Cents,
    merchant,
  })

const merchant = { name: 'Empresa 10 Ltda', city: 'Sao Paulo' }

const write = serializer(pixCharge.schema)
const writeList = serializer(listOfRows(pixCharge.schema))
const pageSize = 25
/** Unpaid charges look the same at any time. */
const today = { date: '2026-01-01' as CalendarDate, nowMs: 0, payee: noPayee }
const send = (reply: FastifyReply, charge: Charge, image = {}) =>
  reply
    .header('Content-Type', 'application/json')
    .send(write(Object.assign(pixCharge.view(transactionOf(charge), today), image)))

/** With the QR image, as the service answers. */
const sendCreated = (reply: FastifyReply, charge: Charge) =>
  send(reply.code(201), charge, qrCodeView(transactionOf(charge)))

const transactionOf = (charge: Charge): Transaction => ({
  id: charge.id as Transaction['id'],
  accountId: `${charge.company_id}/SANDBOX` as Transaction['accountId'],
  version: 2,
  method: 'PIX',
  origin: 'API',
  status: charge.status as Transaction['status'],
  amountCents: Number(charge.amount) as Cents,
  paidCents: 0 as Cents,
  feeCents: 0 as Cents,
  feeTerms: { percentBps: 100, fixedCents: 0 as Cents },
  details: {
    description: charge.description,
    reference: null,
    externalId: charge.external_id,
    metadata: charge.metadata as Transaction['details']['metadata'],
    checkout: null,
  },
  customer: {
    name: charge.customer_name,
    document: charge.customer_document,
    documentType: 'CPF',
    email: charge.customer_email,
    phone: null,
    address: null,
  },
  subscriptionId: null,
  invoiceId: null,
  attempt: null,
  split: null,
  providerId: 'sandbox-psp',
  connectionId: null,
  currency: 'BRL',
  customerId: null,
  failureReason: null,
  failureDetail: null,
  cancelReason: null,
  calls: [],
  reversals: { refunds: [], chargebacks: [], meds: [] },
  means: {
    pix: {
      txid: charge.txid,
      copyPaste: charge.copy_paste,
      keyId: 'pxk_peer' as PixKeyId,
      type: 'IMMEDIATE',
      dueDate: null,
      expiresInSeconds: 3600,
      bankKey: null,
      mandateId: null,
      payment: null,
    },
  },
  receivables: [],
  timeline: [],
  createdAtMs: charge.created_at.getTime(),
  updatedAtMs: charge.created_at.getTime(),
  approvedAtMs: null,
  expiresAtMs: charge.expires_at.getTime(),
  expiredAtMs: null,
  cancelledAtMs: null,
  failedAtMs: null,
})

const secretHash = (secret: string): string => hash('sha256', secret, 'base64url')

const body = Type.Object({
  amount: Type.Integer({ minimum: 1, maximum: 999_999_999_999 }),
  description: Type.String({ minLength: 1, maxLength: 140 }),
  customer: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 120 }),
    document: Type.String({ pattern: '^[0-9]{11}$' }),
    email: Type.String({ maxLength: 254, format: 'email' }),
  }),
  externalId: Type.String({ minLength: 1, maxLength: 80 }),
  expiresInSeconds: Type.Integer({ minimum: 60, maximum: 2_592_000 }),
  metadata: Type.Record(
    Type.String(),
    Type.Union([Type.String({ maxLength: 500 }), Type.Number(), Type.Boolean()]),
    {
      maxProperties: 50,
    },
  ),
})

const tables = `
  DROP SCHEMA IF EXISTS payments_bench CASCADE;
  CREATE SCHEMA payments_bench;
  CREATE TABLE payments_bench.charges (
    id text PRIMARY KEY,
    company_id text NOT NULL,
    txid text NOT NULL,
    copy_paste text NOT NULL,
    status text NOT NULL,
    amount bigint NOT NULL,
    description text NOT NULL,
    customer_name text NOT NULL,
    customer_document text NOT NULL,
    customer_email text NOT NULL,
    external_id text NOT NULL,
    metadata json NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX ON payments_bench.charges (company_id, created_at DESC) INCLUDE (amount);
  CREATE INDEX ON payments_bench.charges (expires_at) WHERE status = 'PENDING';
  CREATE TABLE payments_bench.idempotency (
    company_id text,
    key text,
    fingerprint text NOT NULL,
    charge_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (company_id, key)
  );
  CREATE TABLE payments_bench.outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    type text NOT NULL,
    charge_id text NOT NULL
  );`

const createCharge = `
  WITH first AS (
    INSERT INTO payments_bench.idempotency (company_id, key, fingerprint, charge_id) VALUES ($4, $1, $2, $3)
    ON CONFLICT DO NOTHING RETURNING charge_id
  ), charge AS (
    INSERT INTO payments_bench.charges SELECT $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16 FROM first
  ), told AS (
    INSERT INTO payments_bench.outbox (type, charge_id) SELECT 'payment.created', charge_id FROM first
  )
  SELECT charge_id FROM first`

const findByKey = `
  SELECT charges.*, fingerprint FROM payments_bench.idempotency JOIN payments_bench.charges ON charges.id = charge_id
  WHERE idempotency.company_id = $1 AND key = $2`

/** The newest, with the totals of all, in one round trip; the index has all that the totals need. */
const listNewest = `
  SELECT *, (SELECT count(*) FROM payments_bench.charges WHERE company_id = $1) AS total,
    (SELECT sum(amount) FROM payments_bench.charges WHERE company_id = $1) AS amounts
  FROM payments_bench.charges WHERE company_id = $1 ORDER BY created_at DESC LIMIT $2`

const findById = 'SELECT * FROM payments_bench.charges WHERE id = $1 AND company_id = $2'

if (cluster.isPrimary) {
  await createTables()
  const processes = Array.from({ length: Number(process.env.PROCESSES) }, () => cluster.fork())
  await Promise.all(processes.map((worker) => once(worker, 'listening')))
  console.log('ready')
  process.once('SIGTERM', () => {
    for (const worker of processes) worker.process.kill()
    process.exit()
  })
} else {
  await serve()
}
