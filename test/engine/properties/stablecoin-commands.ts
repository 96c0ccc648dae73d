import type { CryptoDeposit } from '../../../engine/crypto/deposit.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import type { Withdrawal } from '../../../engine/money-out/money-out.ts'
import { cryptoOf } from '../../../engine/payments/methods/crypto/crypto.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { centsWorth, toRateMicros } from '../../../engine/shared/asset.ts'
import type { PersonId, WithdrawalId } from '../../../engine/shared/ids.ts'
import type { Asset } from '../../../engine/shared/method.ts'
import { type Cents, toCents } from '../../../engine/shared/money.ts'
import { addressIn } from './addresses.ts'
import type { OnChain } from './chain.ts'
import { charge, nth, type Scene, sandbox } from './commands.ts'
import { decisionOn, resolutionOf } from './decisions.ts'
import { sender } from './payees.ts'
import type { StablecoinStep } from './stablecoin-steps.ts'
import { assetIn, walletIdOf } from './wallets.ts'

/** How to make the command of a step about stablecoins, as `commandOf` does. */
export const stablecoinCommandOf = (
  step: StablecoinStep,
  scene: Scene,
  by: Pick<Command, 'accountId' | 'by'>,
): (() => Command) | undefined => {
  const byPerson = { ...by, by: sender }
  const { chain } = scene
  switch (step.do) {
    case 'crypto': {
      const terms = {
        method: 'CRYPTO',
        asset: step.asset ?? 'USDT',
        network: step.network ?? 'POLYGON',
        isPricedInAsset: step.inAsset ?? false,
        expiresInSeconds: step.seconds ?? 900,
      } as const
      return () => ({
        ...by,
        ...charge(step, scene),
        type: 'CreateCharge',
        origin: 'API',
        customerId: null,
        collects: null,
        splitRuleId: null,
        terms,
      })
    }
    case 'transfer': {
      const one = nth(scene.transactions(), step, isCrypto, isPending)
      if (one === undefined) return undefined
      const asked = one.currency as Asset
      const asset = step.other ? (asked === 'USDT' ? 'USDC' : 'USDT') : asked
      const units =
        step.part === undefined
          ? null
          : toCents(Math.max(1, Math.floor((one.amountCents * step.part) / 1000)))
      const confirmations = step.confirmations ?? null
      if (step.sandbox)
        return () => ({
          ...by,
          ...sandbox,
          type: 'ReportTransfer',
          transactionId: one.id,
          txHash: null,
          asset,
          units,
          fromAddress: null,
          confirmations,
        })
      const carried = chain.carry({ transactionId: one.id, asset, units: units ?? one.amountCents })
      carried.confirmations = confirmations ?? cryptoOf(one)!.requiredConfirmations
      return () => reportOf(scene, carried)
    }
    case 'report': {
      const carried = chain.transfers()[step.n ?? 0]
      if (carried === undefined) return undefined
      carried.isDropped = false
      carried.confirmations = Math.max(carried.confirmations, step.confirmations ?? enough)
      return () => reportOf(scene, carried)
    }
    case 'drop': {
      const carried = chain.transfers().filter(isUnconfirmed(scene))[step.n ?? 0]
      if (carried === undefined) return undefined
      carried.isDropped = true
      return () => dropOf(scene, carried)
    }
    case 'confirmAll':
    case 'dropAll': {
      const one = nth(scene.transactions(), step, isCrypto, isAwaited)
      if (one === undefined) return undefined
      const about = { ...by, ...sandbox, transactionId: one.id }
      return step.do === 'confirmAll'
        ? () => ({ ...about, type: 'ConfirmTransfers' })
        : () => ({ ...about, type: 'DropTransfers', txHash: null })
    }
    case 'resolveDeposit': {
      const open = scene.deposits().filter(isUnresolved)
      const these = open.length === 0 ? scene.deposits() : open
      const one = these[(step.n ?? 0) % these.length]
      if (one === undefined) return undefined
      const { action } = step
      const address = addressIn(one.network, step.to)
      return () => ({ ...byPerson, type: 'ResolveDeposit', depositId: one.id, action, address })
    }
    case 'quote': {
      const { from: fromCurrency, to: toCurrency, wanted } = step
      const spendable = scene.spendable(fromCurrency)
      const cents = toCents(Number((spendable * BigInt(step.part)) / 1000n))
      if (cents === 0) return undefined
      const side = wanted ? 'TO' : 'FROM'
      return () => ({
        ...byPerson,
        type: 'RequestQuote',
        quoteId: scene.newId('qte'),
        personId: sender.id as PersonId,
        fromCurrency,
        toCurrency,
        side,
        cents: wanted ? aboutWorth(cents, fromCurrency === 'BRL') : cents,
      })
    }
    case 'convert': {
      const one = scene.quotes()[step.n ?? 0]
      if (one === undefined) return undefined
      const metadata = step.scenario === undefined ? {} : { sandboxScenario: step.scenario }
      return () => ({
        ...byPerson,
        type: 'Convert',
        conversionId: scene.newId('cnv'),
        quote: one.id,
        metadata,
      })
    }
    case 'resolveConversion': {
      const one = scene.conversions()[step.n ?? 0]
      if (one === undefined) return undefined
      const { result } = step
      return () => ({
        ...by,
        ...sandbox,
        type: 'ResolveConversion',
        conversionId: one.id,
        result,
        failureReason: null,
      })
    }
    case 'withdraw': {
      const to = step.to ?? (scene.spendable('USDC') > scene.spendable('USDT') ? 'usdc' : 'usdt')
      const units = toCents(Number((scene.spendable(assetIn(to)) * BigInt(step.part)) / 1000n))
      if (units === 0) return undefined
      return () => ({
        ...byPerson,
        type: 'CreateWithdrawal',
        withdrawalId: scene.newId<WithdrawalId>('wdr'),
        to: walletIdOf(to),
        units,
        externalId: null,
        metadata: step.silent ? { sandboxScenario: 'withdrawal_silent' } : {},
        allowDuplicate: true,
        othersCount: 1,
      })
    }
    case 'decideWithdrawal': {
      const one = scene.withdrawals().filter(({ status }) => status === 'PENDING_APPROVAL')[step.n ?? 0]
      return one && (() => decisionOn(one, step.says))
    }
    case 'resolveWithdrawal': {
      const one = scene.withdrawals().filter(isLeaving)[step.n ?? 0]
      return one && (() => resolutionOf(one, step.failure ?? null))
    }
    case 'removeWallet':
      return () => ({ ...byPerson, type: 'RemoveWallet', walletId: walletIdOf(step.wallet ?? 'usdt') })
    case 'rate': {
      const { asset, micros } = step
      return () => ({ ...by, ...sandbox, type: 'ForceRate', asset, rateMicros: toRateMicros(micros) })
    }
  }
}

/** What the chain says of a transfer. */
export const reportOf = (
  { account: accountId }: Pick<Scene, 'account'>,
  { transactionId, txHash, asset, units, confirmations }: OnChain,
): Command => ({
  accountId,
  by: provider,
  type: 'ReportTransfer',
  transactionId,
  txHash,
  asset,
  units,
  fromAddress: null,
  confirmations,
})

/** That the chain has dropped a transfer. */
export const dropOf = (
  { account: accountId }: Pick<Scene, 'account'>,
  { transactionId, txHash }: OnChain,
): Command => ({ accountId, by: provider, type: 'DropTransfers', transactionId, txHash })

export const isLeaving = ({ status }: Withdrawal): boolean =>
  status === 'PROCESSING' || status === 'BROADCAST'

const provider = { kind: 'PROVIDER', id: null } as const

/** More than any network asks for. */
export const enough = 1000

const isCrypto = (transaction: Transaction): boolean => (cryptoOf(transaction)?.address ?? null) !== null
const isPending = ({ status }: Transaction): boolean => status === 'PENDING' || status === 'PROCESSING'
const isAwaited = (transaction: Transaction): boolean =>
  cryptoOf(transaction)!.transfers.some(({ status }) => status === 'SEEN')

const isUnresolved = ({ status }: CryptoDeposit): boolean =>
  status === 'UNRESOLVED' || status === 'RETURN_FAILED'

/** The chain takes nothing back that its charge may count on. */
const isUnconfirmed =
  ({ transactions }: Scene) =>
  ({ transactionId, confirmations, isDropped }: OnChain): boolean => {
    const crypto = transactions().flatMap((one) => (one.id === transactionId ? (cryptoOf(one) ?? []) : []))[0]
    return !isDropped && crypto !== undefined && confirmations < crypto.requiredConfirmations
  }

/** What some of one side is worth on the other, in the middle. */
const aboutWorth = (cents: Cents, isBuying: boolean): Cents =>
  toCents(isBuying ? Math.floor((cents * 10_000) / 5.4) : Number(centsWorth(cents, toRateMicros(5_400_000))))
