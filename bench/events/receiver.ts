import { uws } from '../uws.ts'
import type { Report, Sample } from './report.ts'

/**
 * The merchants' server: a process of its own that answers 200 at once, keeps connections, and records deliveries.
 * `/count` returns how many deliveries it has received; `/report` covers those since the last report. Setting:
 * PORT.
 */
const sampleEvery = 1000

const known = new Set<string>()
let repeats = 0
let latenciesMs: number[] = []
let samples: Sample[] = []
let firstAtMs = 0
let lastAtMs = 0

const note = (path: string, deliveryId: string, signature: string, body: string): void => {
  if (known.has(deliveryId)) {
    repeats += 1
    return
  }
  known.add(deliveryId)
  lastAtMs = Date.now()
  if (latenciesMs.length === 0) firstAtMs = lastAtMs
  if (known.size % sampleEvery === 1) samples.push({ path, signature, body })
  const mark = body.indexOf('"createdAt":"') + 13
  latenciesMs.push(lastAtMs - Date.parse(body.slice(mark, mark + 24)))
}

const report = (): Report => {
  const sorted = Float64Array.from(latenciesMs).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  const told = {
    deliveries: sorted.length,
    repeats,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: sorted.at(-1) ?? 0,
    firstAtMs,
    lastAtMs,
    samples,
  }
  repeats = 0
  latenciesMs = []
  samples = []
  return told
}

uws
  .App()
  .post('/*', (res, req) => {
    const path = req.getUrl()
    const deliveryId = req.getHeader('service-delivery')
    const signature = req.getHeader('service-signature')
    const chunks: Buffer[] = []
    res.onAborted(() => {})
    res.onData((chunk, isLast) => {
      chunks.push(Buffer.from(chunk.slice(0)))
      if (!isLast) return
      note(path, deliveryId, signature, Buffer.concat(chunks).toString())
      res.end()
    })
  })
  .get('/count', (res) => {
    res.end(String(known.size))
  })
  .get('/report', (res) => {
    res.end(JSON.stringify(report()))
  })
  .listen('127.0.0.1', Number(process.env.PORT), (socket) => {
    if (!socket) throw new Error(`cannot listen on port ${process.env.PORT}`)
    process.once('SIGTERM', () => process.exit(0))
  })
