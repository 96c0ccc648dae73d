import fc from 'fast-check'
import { type WithdrawalFailure, withdrawalFailures } from '../../../engine/money-out/money-out.ts'
import type { Network } from '../../../engine/shared/asset.ts'
import type { Asset, Currency } from '../../../engine/shared/method.ts'
import {
  type At,
  answers,
  at,
  cents,
  hold,
  nthOne,
  of,
  often,
  one,
  type Sent,
  seldom,
  sent,
  step,
  yes,
} from './arbitraries.ts'
import { type DecisionOnMoneyOut, decisionsOnMoneyOut } from './decisions.ts'
import type { Step } from './steps.ts'
import { type WalletName, walletNames } from './wallets.ts'

/** What happens to stablecoins. */
export type StablecoinStep =
  | (Sent & {
      readonly do: 'crypto'
      /** Centavos; millionths of the asset where `inAsset`. */
      readonly cents: number
      readonly inAsset?: true
      readonly asset?: Asset
      readonly network?: Network
      readonly seconds?: number
      readonly scenario?: string
    })
  /** So many thousandths of what a charge asks for arrive at its address; without a number what is still missing. */
  | (At & {
      readonly do: 'transfer'
      readonly part?: number
      /** Not the asset that was asked for. */
      readonly other?: true
      /** Without a number as many as it takes. */
      readonly confirmations?: number
      /** Made by the Sandbox, that the chain hears of it afterwards. */
      readonly sandbox?: true
      readonly hold?: true
    })
  /** The chain reports a transfer to a charge once more: the nth, counted from the newest. A dropped one is there again. */
  | { readonly do: 'report'; readonly n?: number; readonly confirmations?: number; readonly hold?: true }
  /** The chain drops a transfer that it has not confirmed. */
  | { readonly do: 'drop'; readonly n?: number; readonly hold?: true }
  /** The Sandbox confirms, or drops, all that is on its way to a charge. */
  | (At & { readonly do: 'confirmAll' | 'dropAll'; readonly hold?: true })
  | (Pick<Sent, 'answers' | 'hold'> & {
      readonly do: 'resolveDeposit'
      readonly n?: number
      readonly action: 'ACCEPT' | 'RETURN'
      /** To an address that is refused, or where nothing is ever confirmed. */
      readonly to?: 'dead' | 'beef'
    })
  /** A person asks for the price of so many thousandths of what is there; of what `to` brings where it is asked for. */
  | (Pick<Sent, 'answers' | 'hold'> & {
      readonly do: 'quote'
      readonly from: Currency
      readonly to: Currency
      readonly part: number
      readonly wanted?: true
    })
  /** The nth quote, counted from the newest, is made use of. */
  | (Sent & { readonly do: 'convert'; readonly n?: number; readonly scenario?: string })
  | {
      readonly do: 'resolveConversion'
      readonly n?: number
      readonly result: 'COMPLETED' | 'FAILED'
      readonly hold?: true
    }
  /** A person withdraws this many thousandths of what is there, to a wallet of the asset of which there is more if none is named. */
  | (Sent & {
      readonly do: 'withdraw'
      readonly part: number
      readonly to?: WalletName
      /** Its network says nothing for a while. */
      readonly silent?: true
    })
  | {
      readonly do: 'decideWithdrawal'
      readonly n?: number
      readonly says: DecisionOnMoneyOut
      readonly hold?: true
    }
  /** The Sandbox confirms the nth that is on its way, or lets it fail. */
  | {
      readonly do: 'resolveWithdrawal'
      readonly n?: number
      readonly failure?: WithdrawalFailure
      readonly hold?: true
    }
  | { readonly do: 'removeWallet'; readonly wallet?: WalletName; readonly hold?: true }
  | { readonly do: 'rate'; readonly asset: Asset; readonly micros: number; readonly hold?: true }

/** What a charge may ask for, and where. */
const offers = fc.constantFrom(
  { asset: 'USDT', network: 'TRON' },
  { asset: 'USDT', network: 'ETHEREUM' },
  { asset: 'USDC', network: 'POLYGON' },
  { asset: 'USDC', network: 'BASE' },
  { asset: 'USDC', network: 'SOLANA' },
)
const asset = fc.constantFrom('USDT', 'USDC')
const micros = fc.constantFrom(10_000, 1_000_000, 5_400_000, 5_431_337, 9_999_999, 1_000_000_000)
const buys = [
  { from: 'BRL', to: 'USDT' },
  { from: 'BRL', to: 'USDC' },
]
const sells = [
  { from: 'USDT', to: 'BRL' },
  { from: 'USDC', to: 'BRL' },
]
/** Within the tolerance and outside of it, in parts, and too much. */
const parts = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(980, 994, 995, 996, 999, 1000, 1100, 2000) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 1200 }) },
)
const confirmations = fc.constantFrom(0, 1, 20, 63, 64, 200)

/** A step whose offer, or way, is drawn as a pair. */
const spread = (steps: fc.Arbitrary<Step>, pairs: fc.Arbitrary<object | undefined>): fc.Arbitrary<Step> =>
  fc.tuple(steps, pairs).map(([step, pair]) => ({ ...step, ...pair }) as Step)

const crypto = spread(
  step(
    { do: of('crypto'), cents },
    {
      inAsset: often(yes),
      seconds: seldom(fc.constantFrom(300, 3600)),
      scenario: seldom(fc.constantFrom('provider_error', 'never_paid')),
      ...sent,
    },
  ),
  often(offers),
)
const plainCrypto = spread(step({ do: of('crypto'), cents }, { inAsset: often(yes) }), often(offers))
const transfer = step(
  { do: of('transfer') },
  {
    part: one(60, parts),
    other: seldom(yes),
    confirmations: one(50, confirmations),
    sandbox: one(30, yes),
    ...at,
    ...hold,
  },
)
const paid = step({ do: of('transfer') })
const seen = step({ do: of('transfer'), confirmations: fc.constant(0) }, { part: often(parts) })
const report = step({ do: of('report') }, { confirmations: one(50, confirmations), ...nthOne, ...hold })
const drop = step({ do: of('drop') }, { ...nthOne, ...hold })
const confirmAll = step({ do: of('confirmAll') }, { ...at, ...hold })
const dropAll = step({ do: of('dropAll') }, { ...at, ...hold })
const resolveDeposit = step(
  { do: of('resolveDeposit'), action: fc.constantFrom('ACCEPT', 'RETURN') },
  { to: one(25, fc.constantFrom('dead', 'beef')), ...nthOne, ...hold, answers: one(50, answers) },
)
const quoted = (pairs: fc.Arbitrary<object>) =>
  spread(
    step(
      { do: of('quote'), part: fc.integer({ min: 1, max: 1010 }) },
      { wanted: often(yes), answers: sent.answers },
    ),
    pairs,
  )
const quote = quoted(fc.constantFrom(...buys, ...sells))
const buying = quoted(fc.constantFrom(...buys))
const selling = quoted(fc.constantFrom(...sells))
const convert = step(
  { do: of('convert') },
  {
    scenario: one(25, fc.constantFrom('conversion_slow', 'conversion_fails')),
    n: seldom(fc.constantFrom(1, 2)),
    ...sent,
  },
)
const resolveConversion = step(
  { do: of('resolveConversion'), result: fc.constantFrom('COMPLETED', 'FAILED') },
  { ...nthOne, ...hold },
)

const withdraw = step(
  { do: of('withdraw'), part: fc.integer({ min: 1, max: 1000 }) },
  { to: often(fc.constantFrom(...walletNames)), silent: seldom(yes), ...sent, answers: one(40, answers) },
)
/** It comes to the network; what is said of it then is another matter. */
const broadcast = step(
  { do: of('withdraw'), part: fc.integer({ min: 1, max: 500 }) },
  {
    answers: often(
      fc.constantFrom(['thrice', 'refused'], ['late', 'refused'], ['silent', 'silent'], ['late silent']),
    ),
  },
)
const decideWithdrawal = step(
  { do: of('decideWithdrawal'), says: fc.constantFrom('approve', ...decisionsOnMoneyOut) },
  { ...nthOne, ...hold },
)
const resolveWithdrawal = step(
  { do: of('resolveWithdrawal') },
  { failure: often(fc.constantFrom(...withdrawalFailures)), ...nthOne, ...hold },
)
const removeWallet = step(
  { do: of('removeWallet') },
  { wallet: often(fc.constantFrom(...walletNames)), ...hold },
)

/** How often each kind of step comes, beside the others. */
export const kindsOfStablecoins: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<Step>])[] = [
  [5, crypto],
  [9, transfer],
  [3, report],
  [2, drop],
  [2, confirmAll],
  [1, dropAll],
  [5, resolveDeposit],
  [4, quote],
  [4, convert],
  [2, resolveConversion],
  [6, withdraw],
  [4, decideWithdrawal],
  [2, resolveWithdrawal],
  [0.5, removeWallet],
  [1, step({ do: of('rate'), asset, micros }, hold)],
]

/** Lives that chance alone seldom leads stablecoins through. */
export const livesOfStablecoins = (
  pix: fc.Arbitrary<Step>,
  pay: fc.Arbitrary<Step>,
  advance: fc.Arbitrary<Step>,
  crash: fc.Arbitrary<Step>,
  again: fc.Arbitrary<Step>,
  arrive: fc.Arbitrary<Step>,
): readonly fc.Arbitrary<readonly Step[]>[] => [
  fc.tuple(plainCrypto, seen, crash, report, transfer, resolveDeposit),
  fc.tuple(plainCrypto, seen, drop, advance, report, transfer, report, resolveDeposit, resolveDeposit),
  fc.tuple(plainCrypto, transfer, transfer, advance, transfer, resolveDeposit, crash, resolveDeposit),
  fc.tuple(plainCrypto, paid, quote, convert, again, resolveConversion, again),
  fc.tuple(pix, pay, buying, convert, crash, again, selling, convert, resolveConversion),
  fc.tuple(pix, pay, buying, convert, advance, selling, convert, advance),
  fc.tuple(pix, pay, buying, convert, broadcast, decideWithdrawal, crash, advance, arrive, advance),
  fc.tuple(pix, pay, buying, convert, withdraw, withdraw, again, decideWithdrawal, crash, again, advance),
  fc.tuple(plainCrypto, paid, broadcast, decideWithdrawal, resolveWithdrawal, arrive, withdraw, removeWallet),
]
