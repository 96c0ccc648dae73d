import { hash } from 'node:crypto'
import type { HttpRequest, HttpResponse } from '@trufflesuite/uws-js-unofficial'
import { open } from 'lmdb'
import { qrCodeDataUri } from '../../gateway/documents/qr-code/draw.ts'
import { type FloorStep, floorSteps } from '../floor-steps.ts'
import { uws } from '../uws.ts'

/**
 * The least that a create can cost here: a handler that does the steps of one up to a certain one, without any rule of the domain, and without
 * the layers that serve every other route. Settings: PORT, UP_TO, ANSWER_BYTES, DATA_DIR.
 */
const { PORT, UP_TO, ANSWER_BYTES, DATA_DIR } = process.env
const does = (step: FloorStep): boolean => floorSteps.indexOf(step) <= floorSteps.indexOf(UP_TO as FloorStep)
const doesRequest = does('request')
const doesMeaning = does('meaning')
const doesDecision = does('decision')
const doesJournal = does('journal')
const doesImage = does('image')
const doesAnswer = does('answer')

type Charge = Readonly<Record<string, unknown>>
/** A request and the parts of its response so far. */
type Row = {
  res: HttpResponse | null
  readonly authorization: string
  readonly key: string
  body: Buffer
  charge: Charge
}

/** What the library and the content type take of an answer. */
const headBytes = 140
const filler = (bytes: number): string => 'A'.repeat(Math.max(0, bytes))
const constant = `{"id":"txn_floor","qrCode":"${filler(Number(ANSWER_BYTES) - headBytes - 30)}"}`

const db = doesJournal
  ? open<Buffer, number>({ path: DATA_DIR!, encoding: 'binary', overlappingSync: false, cache: false })
  : null
const callers = new Map<string, string>()
const keys = new Map<string, string>()
const charges = new Map<string, Charge>()
let turn: Row[] = []
let gathered: Row[] = []
let isCommitting = false
let batches = 0

/** Every request of a turn goes through one step after the other. */
const endTurn = (): void => {
  const rows = turn
  turn = []
  for (const row of rows) {
    if (doesRequest) row.charge = JSON.parse(row.body.toString('latin1'))
    if (doesMeaning) {
      if (!callers.has(row.authorization)) callers.set(row.authorization, row.authorization)
      keys.set(row.key, hash('sha256', JSON.stringify(row.charge), 'base64url'))
    }
    if (doesDecision) decide(row)
  }
  if (!doesJournal) {
    answerAll(rows)
    return
  }
  for (const row of rows) gathered.push(row)
  commit()
}

const decide = (row: Row): void => {
  const id = `txn_${charges.size.toString(36).padStart(26, '0')}`
  const createdAt = new Date().toISOString()
  row.charge = {
    id,
    object: 'transaction',
    status: 'PENDING',
    method: 'PIX',
    currency: 'BRL',
    paidAmount: '0',
    feeAmount: '0',
    refundedAmount: '0',
    createdAt,
    updatedAt: createdAt,
    timeline: [{ status: 'CREATED', at: createdAt }],
    ...row.charge,
    copyPaste: `00020101021226850014br.gov.bcb.pix2563pix.example.com/qr/v2/${id}${id.slice(0, 9)}5204000053039865407${row.charge.amount}5802BR5911LOJA DO JOAO6009SAO PAULO62070503***6304ABCD`,
  }
  charges.set(id, row.charge)
}

/** One batch is on its way to the disk, the next one gathers. */
const commit = (): void => {
  if (isCommitting || gathered.length === 0) return
  isCommitting = true
  const rows = gathered
  gathered = []
  const batch = Buffer.from(rows.map(({ charge }) => JSON.stringify(charge)).join('\n'), 'latin1')
  batches += 1
  db!.put(batches, batch).then(() => {
    isCommitting = false
    answerAll(rows)
    setImmediate(commit)
  })
}

const answerAll = (rows: readonly Row[]): void => {
  const answers = rows.map(({ charge }) => {
    if (!doesImage) return constant
    const image = qrCodeDataUri(String(charge.copyPaste))
    if (!doesAnswer) return constant
    return JSON.stringify({
      ...charge,
      pix: { copyPaste: charge.copyPaste, qrCode: image, expiresAt: charge.createdAt },
    })
  })
  rows.forEach(({ res }, n) => {
    res?.cork(() =>
      res.writeStatus('201 Created').writeHeader('Content-Type', 'application/json').end(answers[n]!),
    )
  })
}

const gather = (row: Row): void => {
  if (turn.push(row) === 1) setImmediate(endTurn)
}

const app = uws.App()
app.post('/*', (res: HttpResponse, req: HttpRequest) => {
  const row: Row = {
    res,
    authorization: doesRequest ? req.getHeader('authorization') : '',
    key: doesRequest ? req.getHeader('idempotency-key') : '',
    body: empty,
    charge: none,
  }
  res.onAborted(() => {
    row.res = null
  })
  res.onData((chunk, isLast) => {
    if (doesRequest) row.body = Buffer.concat([row.body, new Uint8Array(chunk)])
    if (isLast) gather(row)
  })
})
const empty = Buffer.alloc(0)
const none: Charge = {}
app.listen('127.0.0.1', Number(PORT), 0, (socket) => {
  if (!socket) throw new Error(`cannot listen on port ${PORT}`)
  console.log('ready')
  process.once('SIGTERM', () => {
    uws.us_listen_socket_close(socket)
    setTimeout(() => process.exit(0), 100)
  })
})
