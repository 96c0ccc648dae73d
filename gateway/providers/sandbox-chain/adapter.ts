import { hash } from 'node:crypto'
import { checksummed, tronAddress } from '../../../engine/crypto/address.ts'
import type { ConvertRequest, QuoteRequest, SendRequest } from '../../../engine/crypto/chain-request.ts'
import { txHashOf } from '../../../engine/payments/methods/crypto/tx-hash.ts'
import type { ProviderAnswer, ProviderRequest } from '../../../engine/payments/provider.ts'
import { conversionScenarioOf, scenarioOf, withdrawalScenarioOf } from '../../../engine/sandbox/scenarios.ts'
import { unreachable } from '../../../engine/shared/assert.ts'
import { decimalOf, type Network, type RateMicros, toRateMicros } from '../../../engine/shared/asset.ts'
import { base58 } from '../../../engine/shared/base58.ts'
import type { Asset } from '../../../engine/shared/method.ts'
import { type Cents, toCents } from '../../../engine/shared/money.ts'
import type { Provider } from '../provider.ts'
import { refusedWith } from '../sandbox/answers.ts'

/**
 * The Sandbox's chain (dashboard, section 3). It is stateless: its answers follow from the request, and addresses from the reference, so
 * that asking again gives the same answer. Nothing is behind its addresses: no wallet opens what it writes into QR codes.
 */
export const sandboxChain: Provider = {
  name: 'sandbox-chain',
  label: 'Sandbox chain',
  rails: ['CRYPTO'],
  prices: {
    midRateMicros: (asset) => midRates[asset],
    networkFeeUnits: (network) => networkFees[network],
  },
  request: async (request) => {
    switch (request.operation) {
      case 'OPEN_ADDRESS':
        return opened(request)
      case 'QUOTE':
        return quoted(request)
      case 'CONVERT':
        return converted(request)
      case 'SEND':
        return sent(request)
      default:
        return refusedWith('a chain opens addresses, converts and sends')
    }
  },
}

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

const opened = (request: ProviderRequest): ProviderAnswer => {
  if (request.crypto === null || scenarioOf(request) === 'provider_error')
    return refusedWith('no address could be opened')
  const { network, asset } = request.crypto
  const address = addressOf(network, request.reference)
  const uri = `sandbox:${network.toLowerCase()}/${asset}/${address}?amount=${decimalOf(request.amountCents)}`
  return { type: 'OPENED', address, uri }
}

/** An address that is well formed, and that has no key. */
const addressOf = (network: Network, reference: string): string => {
  const bytes = hash('sha256', reference, 'buffer')
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
const quoted = ({ fromCurrency, midRateMicros }: QuoteRequest): ProviderAnswer => {
  const isBuying = fromCurrency === 'BRL'
  const scaled = BigInt(midRateMicros) * BigInt(10_000 + (isBuying ? spreadBps : -spreadBps))
  const rate = (scaled + (isBuying ? 9_999n : 0n)) / 10_000n
  return {
    type: 'QUOTED',
    midRateMicros,
    rateMicros: toRateMicros(Number(rate)),
    spreadBps,
    taxCents: toCents(0),
  }
}

const converted = (request: ConvertRequest): ProviderAnswer => {
  switch (conversionScenarioOf(request)) {
    case 'conversion_slow':
      return { type: 'PENDING' }
    case 'conversion_fails':
      return refusedWith('MARKET_MOVED')
    case null:
      return { type: 'DONE', evidence: null }
  }
}

/** Without a scenario the end of the address decides: `dead` is refused, and `beef` is never confirmed. */
const sent = (request: SendRequest): ProviderAnswer => {
  const { network, address, reference, openedAtMs, nowMs } = request
  const scenario = withdrawalScenarioOf(request)
  if (scenario === 'withdrawal_silent' && nowMs - openedAtMs < silentMs) return { type: 'SILENT' }
  const end = scenario === null ? address.slice(-4).toLowerCase() : null
  if (end === 'dead') return refusedWith('ADDRESS_REFUSED')
  const txHash = txHashOf(network, hash('sha512', reference, 'buffer'))
  if (end === 'beef') return { type: 'SENT', txHash, asksAgainInMs: null }
  const leftMs = openedAtMs + confirmedAfterMs - nowMs
  return leftMs <= 0 ? { type: 'CONFIRMED', txHash } : { type: 'SENT', txHash, asksAgainInMs: leftMs }
}
