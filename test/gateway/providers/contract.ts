import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'
import { paymentRails } from '../../../engine/payments/methods/index.ts'
import type { Rail } from '../../../engine/shared/rail.ts'
import { wrongEcho } from '../../../gateway/providers/echo.ts'
import type {
  AskedOperation,
  InquiryOutcome,
  ProviderAsk,
  ProviderInstance,
  ProviderModule,
  ProviderOutcome,
  RailNotice,
  RawNotice,
} from '../../../gateway/providers/port.ts'
import { carryOut, notFoundApartMs } from '../../../gateway/providers/repeat.ts'
import type { Fault } from './bank-with-books.ts'
import { repeated } from './sample-asks.ts'

const rails: readonly Rail[] = [...paymentRails, 'PAYOUT', 'KEYS']

/** A provider, and asks of which the test knows what becomes of them. No two have the same reference. */
export type Subject = {
  readonly module: ProviderModule
  readonly instance: ProviderInstance
  readonly does: readonly ProviderAsk[]
  readonly refuses: readonly ProviderAsk[]
  /** Without an outcome, or not decided yet, when they are first asked. */
  readonly leavesOpen: readonly ProviderAsk[]
  /** Authorizations that it left open, and how each is taken back. */
  readonly takesBack: readonly { readonly left: ProviderAsk; readonly reversal: ProviderAsk }[]
  /** What can be looked into and broken; null where nothing is remembered: the Sandbox's books are its outcomes. */
  readonly wire: Wire | null
  /** How it reports what comes in; missing where it reports nothing by notices of its own. */
  readonly reports?: Reporting
  /** Has the provider's own time pass, as the driver waits between repeats. */
  readonly advance?: (ms: number) => Promise<void>
  /** Operations that it finds by a number of its own alone: of what was never asked an inquiry says nothing. */
  readonly findsByOwnNumber?: readonly AskedOperation[]
}

/** A provider that reports, as the test holds it. */
export type Reporting = {
  /** Money comes in: what the provider sends of it, to the address that it was given last. */
  readonly receive: () => Promise<{
    readonly raw: RawNotice
    readonly endToEndId: string
    readonly amountCents: number
  }>
  /** The same without a word of it. */
  readonly receiveUnreported: () => Promise<string>
  readonly address: string
  readonly nowMs: () => number
  /** Whether the provider answers nothing any more. */
  readonly setSilent: (isSilent: boolean) => void
}

/** The provider behind the adapter, as the test holds it. */
export type Wire = {
  /** What was done and stands, in centavos by reference. */
  readonly books: Pick<ReadonlyMap<string, number>, 'get' | 'has'>
  /** The sum of all that stands, under whatever reference: what is done twice shows here. */
  readonly sum?: () => number
  /** How the next exchanges fare. */
  readonly plan: (...faults: readonly Fault[]) => void
  /** The provider takes back by itself what was done by a reference. */
  readonly undo: (reference: string) => void | Promise<void>
  /** What it can take back at all; everything where this is missing. */
  readonly undoes?: (ask: ProviderAsk) => boolean
  /** Never asked before. Of each three are needed. */
  readonly fresh: () => readonly ProviderAsk[]
}

/** What every provider has to pass, before it is connected to anything. */
export const providerContract = (t: Test, make: () => Subject): void => {
  const { module } = make()
  t.test(`${module.name} keeps the contract of providers`, async (t) => {
    t.strictSame(await complaintsAbout(make()), [])
  })
}

/** What a provider does otherwise than a provider must. */
export const complaintsAbout = async (subject: Subject): Promise<readonly string[]> => {
  const hearing = newHearing(subject)
  aboutModule(subject, hearing)
  await aboutWhatItDoes(subject, hearing)
  await aboutRefusals(subject, hearing)
  await aboutWhatItLeavesOpen(subject, hearing)
  await aboutTakingBack(subject, hearing)
  if (subject.wire !== null) {
    await aboutLostOutcomes(subject.wire, hearing)
    await aboutTheUnknown(subject, subject.wire, hearing)
    await aboutUndoing(subject.wire, hearing)
  }
  if (subject.reports !== undefined) {
    await aboutNotices(subject, subject.reports, hearing)
    await aboutPolls(subject, subject.reports, hearing)
  }
  hearing.demand((await hearing.caught('health', () => subject.instance.health())) !== null, 'has no health')
  return hearing.complaints
}

type Hearing = ReturnType<typeof newHearing>

/** Asks as the driver does, and writes complaints down. */
const newHearing = ({ module, instance, advance = async () => undefined }: Subject) => {
  const complaints: string[] = []
  const notFound = new Map<string, number>()
  let nowMs = 0

  const demand = (isSo: boolean, complaint: string): void => {
    if (!isSo) complaints.push(complaint)
  }

  /** An exception is a complaint, and says nothing of what was done. */
  const caught = async <Value>(what: string, run: () => Promise<Value>): Promise<Value | null> => {
    try {
      return await run()
    } catch {
      complaints.push(`rejects ${what}`)
      return null
    }
  }

  return {
    complaints,
    demand,
    caught,
    /** For the first time. */
    ask: async (ask: ProviderAsk): Promise<ProviderOutcome> =>
      (await caught(textOf(ask), () => instance.ask(ask))) ?? silent,
    inquire: async (ask: ProviderAsk): Promise<InquiryOutcome> =>
      (await caught(`an inquiry about ${textOf(ask)}`, () => instance.inquire(ask))) ?? silent,
    /** As the driver repeats it, so long after the time before. */
    repeat: async (ask: ProviderAsk, afterMs = notFoundApartMs): Promise<ProviderOutcome> => {
      nowMs += afterMs
      await advance(afterMs)
      const how = module.repeat[ask.operation] ?? 'NEVER'
      const run = () => carryOut(instance, how, ask, true, notFound, () => nowMs)
      return (await caught(`a repeat of ${textOf(ask)}`, run)) ?? silent
    },
  }
}

const silent: ProviderOutcome = { type: 'SILENT' }

const aboutModule = (
  { module, instance, does, refuses, leavesOpen }: Subject,
  { demand }: Pick<Hearing, 'demand'>,
): void => {
  const { name, label, repeat, capabilities } = module
  demand(
    (capabilities.captures ?? []).length === 0 || 'CAPTURE' in repeat,
    'claims captures, and captures nothing',
  )
  demand(
    (capabilities.clientTokens === true) === (instance.clientToken !== undefined),
    'says of tokens for pages what is not so',
  )
  demand(
    /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && label.length > 0,
    'has no name that lasts, or none for people',
  )
  demand(module.rails.every((rail) => rails.includes(rail)) && module.rails.length > 0, 'has no rail')
  demand(module.settings.type === 'object', 'has no schema of settings')
  const asked = [...does, ...refuses, ...leavesOpen]
  for (const { rail } of asked)
    demand(module.rails.includes(rail), `is asked for ${rail}, which is none of its rails`)
  const tried = new Set(asked.map(({ operation }) => operation))
  for (const operation of Object.keys(repeat) as (keyof typeof repeat)[])
    demand(tried.has(operation), `is never asked to ${operation}, which it has`)
  for (const operation of tried)
    demand(repeat[operation] !== undefined, `does not say how ${operation} is repeated`)
  demand(
    repeat.AUTHORIZE === undefined || repeat.REVERSE !== undefined,
    'authorizes what it cannot take back',
  )
  demand((repeat.CAPTURE === undefined) === (repeat.VOID === undefined), 'captures what it cannot void')
}

const aboutWhatItDoes = async ({ module, does, wire }: Subject, hearing: Hearing): Promise<void> => {
  const { demand } = hearing
  const sales = new Set<string>()
  for (const ask of does) {
    const outcome = await hearing.ask(ask)
    demand(outcome.type === 'DONE', `does not do ${textOf(ask)}: ${outcome.type}`)
    if (outcome.type !== 'DONE') continue
    const wrong = wrongEcho(ask, outcome.echo)
    demand(wrong === null, `answers ${textOf(ask)} with another ${wrong}`)
    const twice = await hearing.repeat(repeated(ask))
    demand(isDeepStrictEqual(twice, outcome), `answers ${textOf(ask)} otherwise when asked again`)
    if (module.repeat[ask.operation] === 'SAFE') {
      const twins = await Promise.all([hearing.ask(ask), hearing.ask(ask)])
      demand(isDeepStrictEqual(twins[0], twins[1]), `answers ${textOf(ask)} in two ways at once`)
    }
    const found = await hearing.inquire(repeated(ask))
    demand(isDeepStrictEqual(found, outcome), `does not find ${textOf(ask)}, which it did: ${found.type}`)
    if (wire !== null && isBooked(ask)) {
      const booked = wire.books.get(ask.reference)
      demand(booked === ask.amountCents, `${ask.reference} moved ${booked} of ${ask.amountCents}`)
    }
    if (ask.operation !== 'AUTHORIZE') continue
    const tid = outcome.evidence?.kind === 'CARD' ? outcome.evidence.tid : null
    demand(tid !== null, `does not say what it authorized by ${textOf(ask)}`)
    demand(tid === null || !sales.has(tid), `calls two authorizations ${tid}`)
    if (tid !== null) sales.add(tid)
  }
}

const aboutRefusals = async ({ refuses, wire }: Subject, hearing: Hearing): Promise<void> => {
  const { demand } = hearing
  for (const ask of refuses) {
    const outcome = await hearing.ask(ask)
    demand(outcome.type === 'REFUSED', `does not refuse ${textOf(ask)}: ${outcome.type}`)
    if (outcome.type === 'REFUSED') {
      const { reason, message, retryOn } = outcome.refusal
      demand(message !== '' && reason.length > 0, `refuses ${textOf(ask)} without a reason`)
      demand(['SAME', 'OTHER', 'NONE'].includes(retryOn), `does not say where ${textOf(ask)} may be retried`)
    }
    const twice = await hearing.repeat(repeated(ask))
    demand(isDeepStrictEqual(twice, outcome), `changes its mind about ${textOf(ask)}`)
    if (wire !== null) demand(!wire.books.has(ask.reference), `${ask.reference} was refused, and moved`)
  }
}

const aboutWhatItLeavesOpen = async ({ leavesOpen }: Subject, hearing: Hearing): Promise<void> => {
  const { demand } = hearing
  for (const ask of leavesOpen) {
    const { type } = await hearing.ask(ask)
    demand(type === 'PENDING' || type === 'SILENT', `does not leave ${textOf(ask)} open: ${type}`)
    const then = await hearing.repeat(repeated(ask))
    if (then.type !== 'DONE' && then.type !== 'REFUSED') continue
    const twice = await hearing.repeat(repeated(ask))
    demand(isDeepStrictEqual(twice, then), `changes its mind about ${textOf(ask)}`)
  }
}

const aboutTakingBack = async ({ takesBack, wire }: Subject, hearing: Hearing): Promise<void> => {
  const { demand } = hearing
  for (const { left, reversal } of takesBack) {
    await hearing.ask(left)
    demand((await hearing.ask(reversal)).type === 'DONE', `does not take back ${textOf(left)}`)
    demand(
      (await hearing.repeat(repeated(reversal))).type === 'DONE',
      `does not take back ${textOf(left)} when asked again`,
    )
    if (wire !== null) demand(!wire.books.has(left.reference), `${left.reference} was taken back, and stands`)
  }
}

/** The wire is cut before and after the effect, and what comes back cannot be read: it is done once, or not at all. */
const aboutLostOutcomes = async (wire: Wire, hearing: Hearing): Promise<void> => {
  const { demand } = hearing
  for (const fault of ['CUT_AFTER', 'UNREADABLE', 'CUT_BEFORE'] as const) {
    for (const ask of wire.fresh()) {
      const before = wire.sum?.() ?? 0
      wire.plan(fault)
      const { type } = await hearing.ask(ask)
      // What moves nothing may be looked up at once, and then is known.
      const isLookedUp =
        type === 'DONE' && !isBooked(ask) && (await hearing.inquire(repeated(ask))).type === 'DONE'
      demand(
        type === 'SILENT' || type === 'PENDING' || isLookedUp,
        `says ${type} of ${textOf(ask)} when the wire is ${fault}`,
      )
      const then = repeated(ask, 300_000)
      const outcomes = [await hearing.repeat(then), await hearing.repeat(then), await hearing.repeat(then)]
      const last = outcomes.at(-1)!.type
      const isDone = last === 'DONE'
      const mayStayOpen = fault === 'CUT_BEFORE'
      demand(isDone || (mayStayOpen && last === 'PENDING'), `never says that it did ${textOf(ask)}: ${last}`)
      if (!isBooked(ask)) continue
      const moved = wire.books.get(ask.reference) ?? 0
      const wanted = isDone ? ask.amountCents : 0
      demand(moved === wanted, `${ask.reference} moved ${moved} of ${wanted} after ${fault}`)
      const all = wire.sum === undefined ? wanted : wire.sum() - before
      demand(all === wanted, `${textOf(ask)} moved ${all} of ${wanted} altogether after ${fault}`)
    }
  }
}

/** An inquiry does nothing, and knows nothing of what was never asked. */
const aboutTheUnknown = async (
  { findsByOwnNumber = [] }: Subject,
  wire: Wire,
  hearing: Hearing,
): Promise<void> => {
  for (const ask of wire.fresh()) {
    const { type } = await hearing.inquire(ask)
    const wanted = findsByOwnNumber.includes(ask.operation) ? 'SILENT' : 'NOT_FOUND'
    hearing.demand(type === wanted, `says ${type} of ${textOf(ask)}, which was never asked`)
    if (!isBooked(ask)) continue
    hearing.demand(!wire.books.has(ask.reference), `${ask.reference} was inquired after, and moved`)
  }
}

/** What a provider takes back by itself, it says. */
const aboutUndoing = async (wire: Wire, hearing: Hearing): Promise<void> => {
  for (const ask of wire.fresh()) {
    if (!isBooked(ask) || wire.undoes?.(ask) === false) continue
    await hearing.ask(ask)
    await wire.undo(ask.reference)
    const { type } = await hearing.inquire(repeated(ask))
    hearing.demand(type === 'UNDONE', `says ${type} of ${textOf(ask)}, which it took back by itself`)
  }
}

/** What comes to the address is read or ignored, and what it names is found at the provider, or nowhere. */
const aboutNotices = async (
  { instance }: Subject,
  { receive, address, nowMs, setSilent }: Reporting,
  { demand, caught }: Hearing,
): Promise<void> => {
  const read = (raw: RawNotice) =>
    caught('a notice', async () => instance.readNotice!(raw)).then((of) => of ?? [])
  for (const _ of ['first', 'second']) {
    const health = await caught('an address', () => instance.registerHooks!(address))
    demand(health?.works === true, `does not register its address: ${health?.detail}`)
  }
  const { raw, endToEndId, amountCents } = await receive()
  const notices = await read(raw)
  const notice = notices.find((of) => of.kind === 'PIX_IN' && of.data.endToEndId === endToEndId)
  demand(notice !== undefined, `does not read the notice of ${endToEndId}`)
  demand(isDeepStrictEqual(keysOf(await read(raw)), keysOf(notices)), 'reads one notice in two ways')
  for (const body of ['', '{', '[]', '{}', 'null', '{"pix":[{}]}', '\u0000'])
    demand((await read({ ...raw, body: Buffer.from(body) })).length === 0, `takes ${body} for a notice`)
  if (notice === undefined) return
  const fetched = await caught('a fetch', () => instance.fetch!(notice))
  demand(
    fetched?.type === 'FOUND' &&
      fetched.object.kind === 'PIX' &&
      fetched.object.endToEndId === endToEndId &&
      fetched.object.amountCents === amountCents,
    `does not fetch what ${endToEndId} brought: ${fetched?.type}`,
  )
  const forgedId = `E${'0'.repeat(31)}`
  const forged = { ...notice, key: forgedId, atMs: nowMs(), data: { ...notice.data, endToEndId: forgedId } }
  const none = await caught('a fetch', () => instance.fetch!(forged as RailNotice))
  demand(none?.type === 'NOT_FOUND', `says ${none?.type} of a PIX that never was`)
  setSilent(true)
  const silence = await caught('a fetch', () => instance.fetch!(notice))
  setSilent(false)
  demand(silence?.type === 'SILENT', `says ${silence?.type} of ${endToEndId} when nothing comes back`)
}

/** What was not reported is found by asking, and no cursor passes what was not read. */
const aboutPolls = async (
  { instance }: Subject,
  { receiveUnreported, nowMs, setSilent }: Reporting,
  { demand, caught }: Hearing,
): Promise<void> => {
  const poll = async (cursor: string | null) => {
    const notices: RailNotice[] = []
    let last = cursor
    await caught('a poll', async () => {
      for await (const page of instance.poll!(cursor, nowMs())) {
        notices.push(...page.notices)
        last = page.cursor
      }
    })
    return { notices, cursor: last }
  }
  const first = await poll(null)
  demand(first.cursor !== null, 'has no cursor after its first poll')
  const endToEndId = await receiveUnreported()
  setSilent(true)
  const silent = await poll(first.cursor)
  setSilent(false)
  demand(silent.notices.length === 0, 'has notices from a provider that says nothing')
  const second = await poll(silent.cursor)
  demand(
    second.notices.some((of) => of.kind === 'PIX_IN' && of.data.endToEndId === endToEndId),
    `does not find ${endToEndId}, which was not reported`,
  )
}

const keysOf = (notices: readonly RailNotice[]) => notices.map(({ kind, key }) => `${kind} ${key}`)

/** What these do is no row of their own in the books: they take one out, read it, or agree on what may come. */
const unbooked: ReadonlySet<AskedOperation> = new Set([
  'VOID',
  'REVERSE',
  'CANCEL',
  'READ_CHARGE',
  'DEFEND_MED',
  'MANDATE_CREATE',
  'MANDATE_CANCEL',
  'RESCHEDULE',
  'UNSCHEDULE',
])
const isBooked = ({ operation }: ProviderAsk): boolean => !unbooked.has(operation)

const textOf = ({ operation, reference }: ProviderAsk): string => `${operation} ${reference}`
