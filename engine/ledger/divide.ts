import type { RecipientId } from '../shared/ids.ts'
import { allocate, basisPointsDown, type Cents, toCents } from '../shared/money.ts'
import type { SplitItem } from './split.ts'

/** A party of a payment: a recipient, or (null) the company. */
export type PartyId = RecipientId | null

/** A part of a payment with its part of the fee. It nets gross less fee. */
export type Part = { readonly grossCents: Cents; readonly feeCents: Cents }

/** A party's share of a payment. */
export type Share = Part & { readonly partyId: PartyId }

export type Division = {
  /** In serving order; the company comes last unless an item names it. */
  readonly shares: readonly Share[]
  /** What no item claims. */
  readonly remainderCents: Cents
  /** Who got the remainder; null for the company, or when centavos went to several parties. */
  readonly remainderTo: PartyId
  /** A party's fee exceeded its share, so others paid the rest of the fee. */
  readonly isFeeCapped: boolean
}

/**
 * Divides a payment and its fee between the parties of a rule (decisions, section 17.2), for charges and simulations
 * alike. Shares add up exactly, and only the company can end up negative.
 */
export const divide = (items: readonly SplitItem[], grossCents: Cents, feeCents: Cents): Division => {
  const served = inServingOrder(items)
  const gross: number[] = served.map(() => 0)
  let left: number = grossCents
  const serve = (wanted: (item: SplitItem) => number | null): void => {
    for (const [place, item] of served.entries()) {
      const cents = wanted(item)
      if (cents === null) continue
      gross[place] = Math.min(cents, left)
      left -= gross[place]!
    }
  }
  serve(({ fixedCents }) => fixedCents)
  serve(({ percentBps }) => (percentBps === null ? null : basisPointsDown(grossCents, percentBps)))
  const remainderCents = toCents(left)
  const company = companyPlace(served)
  let remainderTo: PartyId = null
  const taker = served.findIndex(({ chargeRemainder }) => chargeRemainder)
  if (taker !== -1) {
    gross[taker]! += left
    remainderTo = left === 0 ? null : served[taker]!.recipientId
  } else if (dividesAll(served)) {
    for (const place of byFraction(served, grossCents).slice(0, left)) gross[place]! += 1
  } else {
    gross[company] = (gross[company] ?? 0) + left
  }
  const parts = gross.map(toCents)
  const payers = served.flatMap(({ chargeFees }, place) => (chargeFees && parts[place]! > 0 ? [place] : []))
  const { fees, isCapped } = shareFee(parts, payers.length === 0 ? [company] : payers, company, feeCents)
  return {
    shares: parts.map((cents, place) => ({
      partyId: served[place]?.recipientId ?? null,
      grossCents: cents,
      feeCents: fees[place]!,
    })),
    remainderCents,
    remainderTo,
    isFeeCapped: isCapped,
  }
}

/** Whether the items claim more than the amount. Checked before payment, so that no party is left out later. */
export const exceeds = (items: readonly SplitItem[], grossCents: Cents): boolean => {
  let claimed = 0
  for (const { fixedCents, percentBps } of items)
    claimed += fixedCents ?? basisPointsDown(grossCents, percentBps!)
  return claimed > grossCents
}

/** The parties in serving order. */
export const partiesOf = (items: readonly SplitItem[]): readonly PartyId[] => {
  const named = inServingOrder(items).map(({ recipientId }) => recipientId)
  return named.includes(null) ? named : [...named, null]
}

/**
 * The shares of each instalment, party by party: gross and fee are spread over what each party has left, so that
 * instalments and parties both add up exactly (decisions, section 17.2). Gross and fee are rounded separately: a
 * recipient whose fee nearly equals its share can have an instalment with a centavo more fee than gross.
 */
export const inInstallmentsOf = (
  shares: readonly Share[],
  installments: readonly Part[],
): readonly (readonly Share[])[] => {
  if (installments.length === 1) return [shares]
  let left = shares
  return installments.map((installment) => {
    const parts = allocateParts(installment, left)
    left = left.map((share, place) => ({ ...share, ...subtract(share, parts[place]!) }))
    return shares.map(({ partyId }, place) => ({ partyId, ...parts[place]! }))
  })
}

/** Splits a part by what each has of another: its gross by theirs, and its fee by theirs. */
export const allocateParts = (whole: Part, held: readonly Part[]): readonly Part[] => {
  const gross = allocate(
    whole.grossCents,
    held.map(({ grossCents }) => grossCents),
  )
  const fees = allocate(
    whole.feeCents,
    held.map(({ feeCents }) => feeCents),
  )
  return gross.map((grossCents, place) => ({ grossCents, feeCents: fees[place]! }))
}

/** What is left of a part. */
export const subtract = (from: Part, part: Part): Part => ({
  grossCents: toCents(from.grossCents - part.grossCents),
  feeCents: toCents(from.feeCents - part.feeCents),
})

const inServingOrder = (items: readonly SplitItem[]): readonly SplitItem[] =>
  items
    .map((item, place) => ({ item, place }))
    .sort((a, b) => a.item.priority - b.item.priority || a.place - b.place)
    .map(({ item }) => item)

/** The company's place; after all items when none names it. */
const companyPlace = (served: readonly SplitItem[]): number => {
  const place = served.findIndex(({ recipientId }) => recipientId === null)
  return place === -1 ? served.length : place
}

const dividesAll = (items: readonly SplitItem[]): boolean =>
  items.every(({ percentBps }) => percentBps !== null) &&
  items.reduce((sum, { percentBps }) => sum + percentBps!, 0) === 10_000

/** Places ordered by the fraction of a centavo lost to rounding down, largest first. */
const byFraction = (served: readonly SplitItem[], grossCents: Cents): readonly number[] =>
  served
    .map(({ percentBps }, place) => ({ place, rest: (BigInt(grossCents) * BigInt(percentBps!)) % 10_000n }))
    .sort((a, b) => (a.rest === b.rest ? a.place - b.place : a.rest > b.rest ? -1 : 1))
    .map(({ place }) => place)

/**
 * Splits the fee in proportion to the payers' shares, and never beyond them: any excess goes to the others, then to the
 * company.
 */
const shareFee = (
  gross: Cents[],
  payers: readonly number[],
  company: number,
  feeCents: Cents,
): { readonly fees: readonly Cents[]; readonly isCapped: boolean } => {
  // The company needs a share to pay from, even an empty one.
  if (gross.length === company) gross.push(toCents(0))
  const fees: number[] = gross.map(() => 0)
  let rest: number = feeCents
  let isCapped = false
  while (rest > 0) {
    const able = payers.filter((place) => gross[place]! > fees[place]!)
    if (able.length === 0) break
    const parts = allocate(
      toCents(rest),
      able.map((place) => gross[place]!),
    )
    for (const [n, place] of able.entries()) {
      const part = Math.min(parts[n]!, gross[place]! - fees[place]!)
      isCapped ||= place !== company && part < parts[n]!
      fees[place]! += part
      rest -= part
    }
  }
  fees[company]! += rest
  return { fees: fees.map(toCents), isCapped }
}
