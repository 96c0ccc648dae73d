import { isDeepStrictEqual } from 'node:util'
import { clockNow } from '../../../engine/kernel/clock.ts'
import type { AnyFact, Command } from '../../../engine/kernel/registry.ts'
import { type Account, balancesIn } from '../../../engine/ledger/account.ts'
import { ledgerSum } from '../../../engine/ledger/postings.ts'
import { withdrawableOf } from '../../../engine/ledger/withdrawable.ts'
import type { SplitTransfer } from '../../../engine/marketplace/split-transfer.ts'
import { isPlanned, type Transfer } from '../../../engine/money-out/money-out.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import { taxWithheldOf } from '../../../engine/payments/methods/pix/pix.ts'
import { disputedCents, refundedCents } from '../../../engine/payments/transaction/amounts.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { type AccountId, accountIdOf, environmentOf } from '../../../engine/shared/ids.ts'
import type { StatementLine } from '../../../engine/statement/line.ts'
import { plainProfile } from '../profile.ts'
import { companyId, dayMs, key } from '../world.ts'
import { countProblems, ledgerProblems, moneyProblems, shareProblems } from './books.ts'
import { always, commandOf, nth, type Scene, sandbox, zone } from './commands.ts'
import { resolutionOf } from './decisions.ts'
import { divisionCommands, ruleIdOf } from './division.ts'
import { keyProblems, newKeys } from './keys.ts'
import { momentProblems } from './moments.ts'
import { cryptoDayCents, payeeCommands } from './payees.ts'
import { type Rail, refundedBy } from './rail.ts'
import { newReplyCheck } from './replies.ts'
import { openService, type Service } from './service.ts'
import {
  arrivalProblems,
  chainProblems,
  type Moving,
  onChainProblems,
  stablecoinProblems,
} from './stablecoin-books.ts'
import { dropOf, enough, isLeaving, reportOf } from './stablecoin-commands.ts'
import { historyProblems } from './status-machine.ts'
import { type Step, type Story, stepText } from './steps.ts'
import { knownWalletCommands, recentWalletCommands, walletIdOf } from './wallets.ts'

const firstDayMs = Date.UTC(2026, 10, 20, 12)
/** How long a question to a provider may take (decisions, section 9), of real time. */
const patienceMs = 8000
/** A story may put its clock forward that often, and back again. */
const yearsMax = 60

/**
 * Lets a story happen, and throws where something does not hold: after every step, and when everything has ended. Answers what kinds
 * of facts there were.
 */
export const tellStory = async ({ environment, day, steps }: Story): Promise<ReadonlySet<string>> => {
  const account = accountIdOf(companyId, environment)
  const service = openService(account, firstDayMs + (day - 1) * dayMs)
  const teller = newTeller(account, service)
  await teller.tell({
    type: 'OpenAccount',
    accountId: account,
    by: key,
    profile: {
      companyId,
      environment,
      name: 'Loja Demo',
      city: 'Sao Paulo',
      timeZone: zone,
      ...plainProfile,
    },
  })
  for (const command of knownWalletCommands(account)) await teller.tell(command)
  await service.settle()
  service.pass(dayMs)
  for (const command of [
    ...divisionCommands(account),
    ...payeeCommands(account),
    ...recentWalletCommands(account),
  ])
    await teller.tell(command)
  await service.settle()
  for (const [n, step] of steps.entries()) {
    try {
      await teller.step(step)
      demandNone(teller.problems())
    } catch (error) {
      throw new Error(`after step ${n + 1}, ${stepText(step)}: ${textOf(error)}`, { cause: error })
    }
  }
  try {
    await teller.end()
  } catch (error) {
    throw new Error(`in the end: ${textOf(error)}`, { cause: error })
  }
  return new Set(
    service.told().flatMap(({ steps }) => steps.map(({ event }) => `${event.actor}: ${event.type}`)),
  )
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const demandNone = (problems: readonly string[]): void => {
  if (problems.length > 0) throw new Error(problems.join('; '))
}

const newTeller = (account: AccountId, service: Service) => {
  const keys = newKeys()
  const replyProblems = newReplyCheck(service.told)
  /** Versions that hold what they must. */
  const checked = new Map<string, number>()
  let clears = 0
  let ids = 0
  /** How many entries were looked at. */
  let looked = 0
  /** Transfers, withdrawals and conversions that the Sandbox may have decided. */
  const decided = new Set<string>()
  /** Whether the clock was ever set back: what a day had counted until then is forgotten. */
  let wasSetBack = false
  /** Transfers that came when nobody looked for them any more. */
  const unwatched = new Set<string>()

  const state = () => service.memory().find('account', account)!.state
  const transactions = (): readonly Transaction[] =>
    service.memory().list(account, 'transaction', { offset: 0, limit: Number.MAX_SAFE_INTEGER }).states

  const every = { offset: 0, limit: Number.MAX_SAFE_INTEGER }
  const transfers = () => service.memory().list(account, 'splitTransfer', every).states
  const outgoing = () => service.memory().list(account, 'transfer', every).states
  const lines = () => service.memory().list(account, 'statementLine', every).states
  const deposits = () => service.memory().list(account, 'cryptoDeposit', every).states
  const quotes = () => service.memory().list(account, 'conversionQuote', every).states
  const conversions = () => service.memory().list(account, 'conversion', every).states
  const withdrawals = () => service.memory().list(account, 'withdrawal', every).states
  const recipients = () => service.memory().list(account, 'recipient', every).states

  const scene: Scene = {
    account,
    transactions,
    nowMs: () => clockNow(state(), service.now()),
    ruleOf: (division) => (division === undefined ? null : ruleIdOf(division)),
    spendable: (currency) =>
      currency === 'BRL' ? withdrawableOf(state()) : balancesIn(state(), currency).available,
    outgoing,
    deposits,
    quotes: () => quotes().filter(({ given, conversionId }) => given !== null && conversionId === null),
    conversions: () => conversions().filter(({ status }) => status === 'PROCESSING'),
    withdrawals,
    chain: service.rail.chain,
    newId: (prefix) => `${prefix}_${String(++ids).padStart(26, '0')}` as never,
  }

  const tell = async (command: Command): Promise<void> => {
    const sent = { atMs: service.now(), clears }
    keys.sent(command, sent)
    if (command.type === 'ClearSandbox') clears++
    if (command.type === 'ResetClock') wasSetBack = true
    if (command.type === 'ResolveMoneyOut') decided.add(subjectOf(command))
    if (command.type === 'ResolveConversion') decided.add(command.conversionId)
    await service.tell(command, (reply) => {
      if (command.type === 'ReportTransfer' && command.txHash !== null)
        unwatched[reply.accepted ? 'delete' : 'add'](command.txHash)
      demandNone(replyProblems(command, reply))
      keys.replied(command, reply, sent)
    })
  }

  const step = async (step: Step): Promise<void> => {
    await act(step)
    if (!('hold' in step)) await service.settle()
  }

  const act = async (step: Step): Promise<void> => {
    switch (step.do) {
      case 'pass':
        // Nobody waits for a disk or a provider that long.
        if (step.ms > patienceMs) await settleAll()
        service.pass(step.ms)
        if (step.tick) service.shard().tick()
        return
      case 'arrive':
        await service.arrive(step.reversed ?? false)
        return
      case 'crash':
        // What was not on disk may happen again otherwise, with the same versions.
        checked.clear()
        await service.crash(step.kept ?? 0)
        clears = service.entries().filter(({ events }) => events.some(isClearing)).length
        return
      case 'read':
        return read(step)
      case 'again': {
        const command = keys.again(step.n ?? 0, step.changed ?? false)
        return command && tell(command)
      }
      default: {
        const build = commandOf(step, scene)
        if (build === undefined) return
        const command = build()
        if ('answers' in step && step.answers !== undefined)
          service.rail.plan(subjectOf(command), step.answers)
        return tell('key' in step ? { ...command, idempotency: keys.newKey(build) } : command)
      }
    }
  }

  const read = async (step: { readonly n?: number }): Promise<void> => {
    const known = nth(transactions(), step, always)
    if (known === undefined) return
    const { id: transactionId } = known
    let found: unknown
    void service
      .shard()
      .query({ type: 'FindTransaction', accountId: account, transactionId, family: null })
      .then((detail) => {
        found = detail?.transaction
      })
    const now = service.memory().find('transaction', transactionId)?.state
    await service.settle()
    if (!isDeepStrictEqual(found, now)) throw new Error(`${transactionId} reads otherwise`)
  }

  const problems = (): readonly string[] => {
    const all = transactions()
    const found: string[] = [...service.rail.complaints]
    for (const transaction of all) {
      const { id, version } = transaction
      if (checked.get(id) === version) continue
      checked.set(id, version)
      const own = [
        ...historyProblems(transaction),
        ...momentProblems(transaction),
        ...moneyProblems(transaction),
      ]
      found.push(...own.map((problem) => `${id}: ${problem}`))
    }
    const batch = (id: string): number | null => service.memory().find('batch', id)?.state.settledAtMs ?? null
    found.push(...ledgerProblems(state(), all, batch, transfers(), outgoing(), conversions()))
    found.push(...stablecoinProblems(state(), moving()))
    found.push(...all.flatMap((transaction) => arrivalProblems(transaction, deposits())))
    if (!wasSetBack) found.push(...countProblems(state(), [...outgoing(), ...withdrawals()]))
    found.push(...entryProblems())
    found.push(...shareProblems(state(), all, transfers(), recipients()))
    const { available } = state().balances
    const lacking = all.reduce((sum, one) => sum + feeOfOthers(one) + takenBack(one) + taxWithheldOf(one), 0)
    if (!all.some(isSeed) && available < -BigInt(lacking))
      found.push(`${available} are available, but for ${lacking} of fees, tax and what was taken back`)
    return found
  }

  const moving = (): Moving => ({
    transactions: transactions(),
    deposits: deposits(),
    conversions: conversions(),
    withdrawals: withdrawals(),
  })

  /** What must hold after every entry, of those that were told since the last time. */
  const entryProblems = (): readonly string[] => {
    const found: string[] = []
    for (; looked < service.told().length; looked++)
      for (const { event, after } of service.told()[looked]!.steps)
        if (event.actor === 'account') found.push(...bookingProblems(event, after as Account))
    return found
  }

  /** Whatever is under way comes to its end: nothing is owed, blocked or to come, and all books agree. */
  const end = async (): Promise<void> => {
    service.rail.calm()
    await settleAll()
    await endOnChain()
    for (let years = 0; years === 0 || (years < yearsMax && unfinished().length > 0); years++) {
      await tell({ type: 'AdvanceClock', accountId: account, by: key, step: { by: 'P1Y' } })
      await settleAll()
      await decideWhatStays()
      demandNone(problems())
    }
    demandNone([
      ...service.owed().map((type) => `${type} is never answered`),
      ...unfinished(),
      ...transactions().flatMap((transaction) => railProblems(transaction, service.rail)),
      ...payoutProblems(transfers(), service.rail),
      ...sendProblems(outgoing(), service.rail, decided),
      ...chainProblems(moving(), service.rail, decided),
      ...onChainProblems(transactions(), service.rail, unwatched),
      ...statementProblems(state(), lines()),
      ...keyProblems(service.entries()),
      ...service.replayProblems(),
    ])
  }

  /** The chain tells again whatever it knows, and confirms what it has not dropped. */
  const endOnChain = async (): Promise<void> => {
    for (const carried of service.rail.chain.transfers().toReversed()) {
      if (!carried.isDropped) carried.confirmations = enough
      await tell(carried.isDropped ? dropOf(scene, carried) : reportOf(scene, carried))
      await settleAll()
    }
  }

  /** The Sandbox decides what its chain leaves open. */
  const decideWhatStays = async (): Promise<void> => {
    for (const { id: conversionId } of scene.conversions())
      await tell({
        type: 'ResolveConversion',
        accountId: account,
        by: sandbox.by,
        conversionId,
        result: 'COMPLETED',
        failureReason: null,
      })
    for (const one of withdrawals())
      if (isLeaving(one) && one.payeeId === walletIdOf('beef')) await tell(resolutionOf(one, null))
    await settleAll()
  }

  const settleAll = async (): Promise<void> => {
    do await service.settle()
    while ((await service.arrive(false)) > 0)
    await service.settle()
  }

  const unfinished = (): readonly string[] => {
    const { balances, schedule } = state()
    const { receivable, blocked } = balances
    const isAtRest = receivable === 0n && blocked === 0n && Object.keys(schedule).length === 0
    const own = transactions().filter(isUnfinished)
    const rest = own.map(
      ({ id, status, calls }) => `${id} is ${status} in the end, with ${calls.length} calls`,
    )
    rest.push(
      ...transfers()
        .filter(isUnpaid)
        .map(({ id, status }) => `${id} is ${status} in the end`),
    )
    rest.push(
      ...outgoing()
        .filter((one) => isPlanned(one) || one.status === 'PROCESSING')
        .map(({ id, status }) => `${id} is ${status} in the end`),
    )
    rest.push(
      ...withdrawals()
        .filter((one) => isLeaving(one) || one.status === 'PENDING_APPROVAL')
        .map(({ id, status }) => `${id} is ${status} in the end`),
    )
    return isAtRest ? rest : [...rest, `${receivable} to come, ${blocked} blocked in the end`]
  }

  return { tell, step, problems, end }
}

const isClearing = ({ type }: AnyFact): boolean => type === 'SandboxCleared'

const isSeed = ({ timeline }: Transaction): boolean => timeline[0]!.type === 'TransactionSeeded'

/** What of the fee the company bears beyond its own part of the payment. */
const feeOfOthers = ({ receivables }: Transaction): number =>
  receivables.reduce(
    (sum, { recipientId, type, grossCents, feeCents }) =>
      recipientId === null && type === 'CREDIT' ? sum + Math.max(0, feeCents - grossCents) : sum,
    0,
  )

/**
 * What can leave less than nothing: refunds and chargebacks of a card payment reserve nothing, its network takes them from
 * whatever else there is; and the Sandbox gives PIX back that is not there.
 */
const takenBack = (transaction: Transaction): number => {
  if (transaction.currency !== 'BRL') return 0
  if (cardOf(transaction) !== null) return refundedCents(transaction) + disputedCents(transaction)
  return environmentOf(transaction.accountId) === 'PRODUCTION'
    ? 0
    : refundedCents(transaction) + setAside(transaction)
}

/** What of a PIX payment is on its way back, or blocked. */
const setAside = ({ reversals: { refunds, meds } }: Transaction): number =>
  [
    ...refunds.map(({ status, amountCents }) => (status === 'PROCESSING' ? amountCents : 0)),
    ...meds.map(({ status, blockedCents }) => (status === 'OPEN' ? blockedCents : 0)),
  ].reduce<number>((sum, cents) => sum + cents, 0)

/**
 * After every entry nothing is created in any currency. What is set aside to leave was there, and was no recipient's; of a
 * stablecoin, which nobody takes back, there is never less than nothing, and never more leaves in a day than its limit.
 */
const bookingProblems = (
  event: AnyFact,
  { balances, assets = {}, sharesUnmoved = 0n, moneyOut }: Account,
): readonly string[] => {
  const found: string[] = []
  for (const [asset, own] of Object.entries({ BRL: balances, ...assets })) {
    if (ledgerSum(own) !== 0n) found.push(`after ${event.type} ${asset} sums to ${ledgerSum(own)}`)
    if (asset !== 'BRL' && (own.available < 0n || own.blocked < 0n))
      found.push(`${event.type} leaves ${own.available} available and ${own.blocked} blocked in ${asset}`)
  }
  const withdrawn = moneyOut?.sums.CRYPTO?.cents ?? 0
  if (withdrawn < 0 || withdrawn > cryptoDayCents)
    found.push(`${event.type} leaves ${withdrawn} withdrawn in a day that allows ${cryptoDayCents}`)
  if (leavesReais(event) && balances.available < sharesUnmoved)
    found.push(`${event.type} leaves ${balances.available}, and ${sharesUnmoved} of others`)
  return found
}

/** Whether a person lets reais leave by it. */
const leavesReais = (event: AnyFact): boolean =>
  (event.type === 'MoneyOutBooked' || event.type === 'FundsMoved') &&
  event.currency === 'BRL' &&
  event.postings.some(({ account, cents }) => account === 'available' && cents < 0) &&
  // The tax of a payment leaves with it, whatever is there.
  !event.postings.some(({ account }) => account === 'taxesWithheld')

/** What the questions that follow from a command are about. */
const subjectOf = (command: Command): string => {
  if ('transactionId' in command) return command.transactionId!
  if ('transferId' in command) return command.transferId
  if ('depositId' in command) return command.depositId
  if ('withdrawalId' in command) return command.withdrawalId
  if ('quoteId' in command) return command.quoteId
  return 'conversionId' in command ? command.conversionId : command.accountId
}

/** A seed may wait for what never comes, but not for a provider, a network or a bank. */
const isUnfinished = (transaction: Transaction): boolean => {
  const { status, calls, reversals } = transaction
  const isWaiting = ['CREATED', 'PENDING', 'PROCESSING', 'AUTHORIZED'].includes(status)
  return (
    (isWaiting && !isSeed(transaction)) ||
    calls.length > 0 ||
    reversals.chargebacks.some(({ status }) => status === 'OPEN' || status === 'UNDER_REVIEW') ||
    reversals.meds.some(({ status }) => status === 'OPEN')
  )
}

/** One that waits for its money, for the bank or for its next try. In Production no bank is connected. */
const isUnpaid = ({ status, retryAtMs, accountId }: SplitTransfer): boolean =>
  status === 'AWAITING_FUNDS' ||
  status === 'PROCESSING' ||
  retryAtMs !== null ||
  (status === 'SCHEDULED' && environmentOf(accountId) === 'SANDBOX')

/** The bank has paid what the transfers say, each once. A Sandbox that was cleared has forgotten some. */
const payoutProblems = (transfers: readonly SplitTransfer[], rail: Rail): readonly string[] =>
  transfers.flatMap(({ id, completedAtMs, dueCents }) => {
    const paid = [...rail.payouts].filter(([reference]) => reference.startsWith(`${id}.`))
    const sum = paid.reduce((total, [, cents]) => total + cents, 0)
    return sum === (completedAtMs === null ? 0 : dueCents)
      ? []
      : [`${id}: the bank paid ${sum}, not ${dueCents}`]
  })

/** The bank has sent what the transfers say, each once. */
const sendProblems = (
  transfers: readonly Transfer[],
  rail: Rail,
  decided: ReadonlySet<string>,
): readonly string[] =>
  transfers.flatMap(({ id, status, amountCents }) => {
    const sent = [...rail.sent].filter(([reference]) => reference.startsWith(`${id}.`))
    const sum = sent.reduce((total, [, cents]) => total + cents, 0)
    return decided.has(id) || sum === (status === 'COMPLETED' ? amountCents : 0)
      ? []
      : [`${id} is ${status}, and the bank sent ${sum} of ${amountCents}`]
  })

/** Each line of the statement follows from the one that was booked before it, and the last one says what there is. */
const statementProblems = ({ balances }: Account, lines: readonly StatementLine[]): readonly string[] => {
  let balance = 0n
  // A clock that was set back orders lines otherwise than they were booked; their ids do not.
  for (const { id, cents, balanceAfter } of lines.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    balance += BigInt(cents)
    if (balanceAfter !== String(balance))
      return [`${id} says ${balanceAfter}, the lines before it ${balance}`]
  }
  return balance === balances.available
    ? []
    : [`the statement says ${balance}, ${balances.available} are there`]
}

/** What the acquirer and the PIX rail have in their books is what the payments say. */
const railProblems = (transaction: Transaction, rail: Rail): readonly string[] => {
  const { id, paidCents, reversals } = transaction
  const card = cardOf(transaction)
  const book = rail.bookOf(id)
  const problems: string[] = []
  if (book.authorizations.size > 1) problems.push(`${id}: authorized ${book.authorizations.size} times`)
  if (card !== null && book.capturedCents !== paidCents)
    problems.push(`${id}: ${book.capturedCents} captured, ${paidCents} paid`)
  const asked = reversals.refunds.filter(
    ({ status, origin }) =>
      status === 'COMPLETED' && origin !== 'MED' && !(isSeed(transaction) && origin === 'DASHBOARD'),
  )
  const refunded = asked.reduce((sum, { amountCents }) => sum + amountCents, 0)
  // Also of a refund that a chargeback overtakes: what was made counts, and what was not is not made any more (rails, G7).
  if (refundedBy(book) !== refunded)
    problems.push(`${id}: ${refundedBy(book)} sent back, ${refunded} refunded`)
  return problems
}
