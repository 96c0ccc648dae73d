import { hash } from 'node:crypto'
import { checksummed, tronAddress } from '../../../engine/crypto/address.ts'
import { txHashOf } from '../../../engine/payments/methods/crypto/tx-hash.ts'
import type { ConversionScenario } from '../../../engine/sandbox/scenarios.ts'
import { unreachable } from '../../../engine/shared/assert.ts'
import { decimalOf, type Network, type RateMicros, toRateMicros } from '../../../engine/shared/asset.ts'
import { base58 } from '../../../engine/shared/base58.ts'
import type { Asset } from '../../../engine/shared/method.ts'
import { type Cents, toCents } from '../../../engine/shared/money.ts'
import type { ProviderAsk, ProviderModule, ProviderOutcome } from '../port.ts'
import { doneAs, opened, refusedWith, sandboxBase, saysNothing, undecidedYet } from '../sandbox/answers.ts'

/**
 * The Sandbox's chain (dashboard, section 3). It is stateless: its answers follow from the request, and addresses from the reference, so
 * that asking again gives the same answer. Nothing is behind its addresses: no wallet opens what it writes into QR codes.
 */
export const sandboxChain: ProviderModule = {
  name: 'sandbox-chain',
  label: 'Sandbox chain',
  rails: ['CRYPTO'],
  ...sandboxBase,
  repeat: { OPEN_ADDRESS: 'SAFE', QUOTE: 'SAFE', CONVERT: 'SAFE', SEND: 'SAFE' },
  capabilities: {},
  open: opened(
    (ask) => {
      switch (ask.operation) {
        case 'OPEN_ADDRESS':
          return addressFor(ask)
        case 'QUOTE':
          return quoted(ask)
        case 'CONVERT':
          return converted(ask)
        case 'SEND':
          return sent(ask)
        default:
          return refusedWith('a chain opens addresses, converts and sends')
      }
    },
    {
      prices: {
        midRateMicros: (asset) => midRates[asset],
        networkFeeUnits: (network) => networkFees[network],
      },
    },
  ),
}

type Asked<Name extends ProviderAsk['operation']> = Extract<ProviderAsk, { readonly operation: Name }>

const real = 1_000_000
const midRates: Readonly<Record<Asset, RateMicros>> = {
  USDT: toRateMicros(5.4 * real),
  USDC: toRateMicros(5.4 * real),
}

/** Millionths. */
const networkFees: Readonly<Record<Network, Cents>> = {
  TRON: toCents(1_000_000),
  ETHEREUM: toCents(5_000_000),
  POLYGON: toCents(50_000),
  BASE: toCents(50_000),
  SOLANA: toCents(20_000),
}

const spreadBps = 100

/** Sent stablecoins are confirmed after this time. */
const confirmedAfterMs = 30_000
/** How long the chain says nothing where a scenario wants it. */
const silentMs = 15 * 60_000

const addressFor = (ask: Asked<'OPEN_ADDRESS'>): ProviderOutcome => {
  if (ask.scenario === 'provider_error') return refusedWith('no address could be opened')
  const { network, asset } = ask.data
  const address = addressOf(network, ask.callId)
  const uri = `sandbox:${network.toLowerCase()}/${asset}/${address}?amount=${decimalOf(ask.amountCents)}`
  return doneAs(ask, { kind: 'ADDRESS', address, uri })
}

/** An address that is well formed, and that has no key. */
const addressOf = (network: Network, callId: string): string => {
  const bytes = hash('sha256', callId, 'buffer')
  switch (network) {
    case 'TRON':
      return tronAddress(bytes.subarray(0, 20))
    case 'SOLANA':
      return base58(bytes)
    case 'ETHEREUM':
    case 'POLYGON':
    case 'BASE':
      return checksummed(`0x${bytes.toString('hex', 0, 20)}`)
    default:
      return unreachable(network)
  }
}

/** Buying costs the spread more, rounded up, and selling brings it less, rounded down. */
const quoted = (ask: Asked<'QUOTE'>): ProviderOutcome => {
  const { fromCurrency, midRateMicros } = ask.data
  const isBuying = fromCurrency === 'BRL'
  const scaled = BigInt(midRateMicros) * BigInt(10_000 + (isBuying ? spreadBps : -spreadBps))
  const rate = (scaled + (isBuying ? 9_999n : 0n)) / 10_000n
  return doneAs(ask, {
    kind: 'QUOTE',
    midRateMicros,
    rateMicros: toRateMicros(Number(rate)),
    spreadBps,
    taxCents: toCents(0),
  })
}

const converted = (ask: Asked<'CONVERT'>): ProviderOutcome => {
  const scenario = ask.scenario as ConversionScenario | null
  switch (scenario) {
    case 'conversion_slow':
      return undecidedYet
    case 'conversion_fails':
      return refusedWith('the market moved', { reason: 'MARKET_MOVED' })
    case null:
      return doneAs(ask)
    default:
      return unreachable(scenario)
  }
}

/** Without a scenario the end of the address decides: `dead` is refused, and `beef` is never confirmed. */
const sent = (ask: Asked<'SEND'>): ProviderOutcome => {
  const { scenario, callId, openedAtMs, nowMs } = ask
  const { network, address } = ask.data
  if (scenario === 'withdrawal_silent' && nowMs - openedAtMs < silentMs) return saysNothing
  const end = scenario === null ? address.slice(-4).toLowerCase() : null
  if (end === 'dead') return refusedWith('the address takes nothing', { reason: 'ADDRESS_REFUSED' })
  const evidence = { kind: 'CHAIN', txHash: txHashOf(network, hash('sha512', callId, 'buffer')) } as const
  if (end === 'beef') return { type: 'PENDING', againInMs: null, evidence }
  const leftMs = openedAtMs + confirmedAfterMs - nowMs
  return leftMs <= 0 ? doneAs(ask, evidence) : { type: 'PENDING', againInMs: leftMs, evidence }
}
