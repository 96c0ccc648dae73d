import { Pool } from 'undici'
import type { Cleanup } from './cleanup.ts'
import { machine } from './conditions.ts'
import { newTag } from './generator.ts'
import { inParallel } from './in-parallel.ts'
import type { Options } from './options.ts'
import { startBareUws } from './peers.ts'
import { newRandom, type Random } from './random.ts'
import { median, printConditions } from './report.ts'
import { createCompanies, startService } from './service.ts'
import type { Company, Target } from './target.ts'
import { cardRequest, createRequest, get, type LoadRequest, markHolder, post } from './workloads.ts'

/** A company with the plan that its requests name. */
type Shop = Company & { readonly planId: string }

/** Makes a shop's request about the object that its previous request created; `id` is empty for the first. */
type Step = (shop: Shop, id: string, random: Random) => LoadRequest

/** Only the last step is measured. The steps before prepare it: each response has the next step's id. */
type Case = { readonly title: string; readonly steps: readonly [...Step[], Step] }

const createCharge: Step = (shop, _, random) => createRequest(random, shop)
const payCharge: Step = (shop, id) => post(shop, `/v1/sandbox/pix/charges/${id}/pay`, {})
const payByCard: Step = (shop, _, random) => cardRequest(random, shop)
const authorize: Step = (shop, _, random) => withBody(cardRequest(random, shop), { capture: false })
const refund: Step = (shop, id) => post(shop, `/v1/transactions/${id}/refund`, { amount: 50 })

const cases: readonly Case[] = [
  { title: 'PIX charge', steps: [createCharge] },
  {
    title: 'PIX charge, return=minimal',
    steps: [(...about) => withHeaders(createCharge(...about), { Prefer: 'return=minimal' })],
  },
  { title: 'PIX charge paid (Sandbox)', steps: [createCharge, payCharge] },
  { title: 'PIX refund', steps: [createCharge, payCharge, refund] },
  {
    title: 'boleto',
    steps: [
      (shop, _, random) => {
        const { expiresInSeconds: _expiry, ...charge } = bodyOf(createRequest(random, shop))
        return post(shop, '/v1/boletos', { ...charge, dueDate: inTenDays() })
      },
    ],
  },
  { title: 'card payment', steps: [payByCard] },
  {
    title: 'card capture',
    steps: [authorize, (shop, id) => post(shop, `/v1/card-payments/${id}/capture`, {})],
  },
  { title: 'card refund', steps: [payByCard, refund] },
  {
    title: 'subscription',
    steps: [
      (shop, _, random) => {
        const { customer, card } = bodyOf(cardRequest(random, shop))
        return post(shop, '/v1/subscriptions', { planId: shop.planId, customer, method: 'CREDIT_CARD', card })
      },
    ],
  },
  {
    title: 'customer',
    steps: [(shop, _, random) => post(shop, '/v1/customers', bodyOf(createRequest(random, shop)).customer!)],
  },
  {
    title: 'read of a charge',
    steps: [createCharge, (shop, id) => get(`/v1/pix/charges/${id}`, shop.secret)],
  },
  { title: 'list of 25', steps: [(shop) => get('/v1/pix/charges?pageSize=25', shop.secret)] },
]

/** Processor time of each kind of request, beside a bare handler that answers as many bytes. */
export const benchCommands = async (options: Options, cleanup: Cleanup): Promise<void> => {
  const { workers, seed } = options
  const fresh = await createCompanies(cleanup, {
    count: options.companies,
    workers,
    random: newRandom(seed),
    scopes:
      'charges.create,charges.read,transactions.read,refunds.create,subscriptions.read,subscriptions.manage',
  })
  printConditions({ ...machine(), workers, companies: options.companies, connections, seed })
  const service = await startService(cleanup, fresh, workers)
  const shops = await openShops(service, fresh.companies)
  console.log(
    '\ncommand                       cpu us   entries  answer B    bare us  × bare  × PIX charge (of processor time)',
  )
  let firstUs = Number.NaN
  for (const { title, steps } of cases) {
    const random = newRandom(seed)
    const ours = await measure(service, options, (count) => prepare(service, shops, steps, count, random))
    const bare = await startBareUws(cleanup, workers, ours.answerBytes)
    const last = await prepare(service, shops, steps, options.commandRequests, random)
    const { cpuUs: bareUs } = await measure(bare, options, async () => last)
    await bare.stop()
    if (Number.isNaN(firstUs)) firstUs = ours.cpuUs
    console.log(
      [
        title.padEnd(27),
        ours.cpuUs.toFixed(1).padStart(8),
        ours.entries.toFixed(2).padStart(9),
        String(ours.answerBytes).padStart(9),
        bareUs.toFixed(1).padStart(10),
        (ours.cpuUs / bareUs).toFixed(2).padStart(7),
        (ours.cpuUs / firstUs).toFixed(2).padStart(13),
      ].join(' '),
    )
  }
  await service.stop()
}

/** A request that is ready, and its shop. */
type Ready = { readonly shop: Shop; readonly request: LoadRequest }

/** The requests of the last step, after all steps before it. */
const prepare = async (
  service: Target,
  shops: readonly Shop[],
  steps: readonly Step[],
  count: number,
  random: Random,
): Promise<readonly Ready[]> => {
  let ids = Array.from({ length: count }, () => '')
  const requestsOf = (step: Step): Ready[] =>
    ids.map((id, n) => {
      const shop = shops[n % shops.length]!
      return { shop, request: step(shop, id, random) }
    })
  for (const step of steps.slice(0, -1)) {
    const answers = await sendAll(service, requestsOf(step))
    ids = answers.map(({ text }) => (JSON.parse(text) as { readonly id: string }).id)
  }
  return requestsOf(steps.at(-1)!)
}

/** Sends slices of requests until one takes as much processor time as the one before, then slices that count. */
const measure = async (
  target: Target,
  { commandRequests, commandSlices, warmUpSeconds }: Options,
  next: (count: number) => Promise<readonly Ready[]>,
) => {
  const slice = async () => {
    const ready = await next(commandRequests)
    const before = { cpu: target.cpuTime().threads, journal: await target.journal() }
    const answers = await sendAll(target, ready)
    const after = { cpu: target.cpuTime().threads, journal: await target.journal() }
    const us = [...after.cpu].reduce((sum, [thread, us]) => sum + us - (before.cpu.get(thread) ?? 0), 0)
    return {
      cpuUs: us / answers.length,
      answerBytes: Math.round(answers.reduce((sum, { bytes }) => sum + bytes, 0) / answers.length),
      entries: ((after.journal?.entries ?? 0) - (before.journal?.entries ?? 0)) / answers.length,
    }
  }
  let warmUs = Number.POSITIVE_INFINITY
  for (let times = 0; times < (warmUpSeconds === 0 ? 0 : warmUpsMax); times++) {
    const { cpuUs } = await slice()
    if (cpuUs > warmUs * steadyShare) break
    warmUs = cpuUs
  }
  const slices = []
  for (let n = 0; n < commandSlices; n++) slices.push(await slice())
  return { ...slices[0]!, cpuUs: median(slices.map(({ cpuUs }) => cpuUs)) }
}

const warmUpsMax = 8
/** The target is warm when the next slice takes at least this share of the one before. */
const steadyShare = 0.97

/** Sends each request once, with a mark of its own. Resolves to the responses' texts in order of the requests. */
const sendAll = async (target: Target, ready: readonly Ready[]) => {
  const tag = newTag()
  const pool = new Pool(target.origin, { connections })
  const answers = await inParallel(connections, ready, async ({ request }, n) => {
    const { verb, path, headers, body } = request
    const mark = tag + String(n).padStart(markHolder.length - tag.length, '0')
    const key = headers['Idempotency-Key']
    const answer = await pool.request({
      method: verb,
      path,
      headers: { ...headers, ...(key !== undefined && { 'Idempotency-Key': key.replace(markHolder, mark) }) },
      body: body?.replace(markHolder, mark) ?? null,
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${path} was answered with ${answer.statusCode}: ${text}`)
    return { text, bytes: Buffer.byteLength(text) + headBytes(answer.headers) }
  })
  await pool.close()
  return answers
}

const connections = 64

const headBytes = (headers: Readonly<Record<string, string | string[] | undefined>>): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length + 4, 19)

const openShops = async (service: Target, companies: readonly Company[]): Promise<readonly Shop[]> => {
  const plan = { name: 'Clube', amount: 4900, interval: 'MONTH', methods: ['CREDIT_CARD'] }
  const plans = companies.map((company) => {
    const shop = { ...company, planId: '' }
    return { shop, request: post(shop, '/v1/plans', plan) }
  })
  const answers = await sendAll(service, plans)
  return answers.map(({ text }, n) => ({ ...companies[n]!, planId: (JSON.parse(text) as { id: string }).id }))
}

const bodyOf = ({ body }: LoadRequest): Readonly<Record<string, object>> => JSON.parse(body!)

const withBody = (request: LoadRequest, members: object): LoadRequest => ({
  ...request,
  body: JSON.stringify({ ...bodyOf(request), ...members }),
})

const withHeaders = (request: LoadRequest, headers: LoadRequest['headers']): LoadRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
})

const inTenDays = (): string => new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
