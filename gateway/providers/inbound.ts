import type { Answers, Command, Query } from '../../engine/kernel/registry.ts'
import type { Reply } from '../../engine/kernel/reply.ts'
import { boletoOf } from '../../engine/payments/methods/boleto/boleto.ts'
import type { PayBoleto, PayBoletoByPix } from '../../engine/payments/methods/boleto/commands.ts'
import type { DropTransfers, ReportTransfer } from '../../engine/payments/methods/crypto/commands.ts'
import type { ReceivePix, ReceiveUnrequestedPix } from '../../engine/payments/methods/pix/commands.ts'
import { unreachable } from '../../engine/shared/assert.ts'
import { environmentOf, type TransactionId } from '../../engine/shared/ids.ts'
import { byProvider, type Initiator } from '../../engine/shared/initiator.ts'
import type { ConnectedProvider, Providers } from './connected.ts'
import type { BoletoPaid, Notice, NoticeOutcome } from './notice.ts'
import type { ProviderModule } from './port.ts'

export type InboundOptions = {
  readonly providers: Providers
  readonly execute: (command: Command) => Promise<Reply>
  readonly query: <Asked extends Query>(query: Asked) => Promise<Answers[Asked['type']]>
  readonly newTransactionId: () => TransactionId
  /** Called with the outcome of each notice. */
  readonly onTaken: (provider: ConnectedProvider, notice: Notice, outcome: NoticeOutcome) => void
}

/**
 * The only way for money to come in. A provider is trusted only in the environment where it is connected, so the Sandbox's know
 * nothing of live charges. Rejects while the account's shard is not writable; the provider then repeats the notice, which is
 * harmless.
 */
export const openInbound = ({
  providers,
  execute,
  query,
  newTransactionId,
  onTaken,
}: InboundOptions): ((provider: ConnectedProvider, notice: Notice) => Promise<NoticeOutcome>) => {
  const isKnown = async ({
    accountId,
    transactionId,
    amountCents,
    paidAtMs,
  }: BoletoPaid): Promise<boolean> => {
    const found = await query({ type: 'FindTransaction', accountId, transactionId, family: 'BOLETO' })
    const payment = found === null ? null : boletoOf(found.transaction)?.payment
    return payment != null && payment.paidAtMs === paidAtMs && payment.paidCents === amountCents
  }

  const take = async (provider: ConnectedProvider, notice: Notice): Promise<NoticeOutcome> => {
    const connected = Object.values(providers[environmentOf(notice.accountId)])
    if (!connected.includes(provider)) return { type: 'UNKNOWN' }
    const reply = await execute(commandOf(provider.module, notice, byProvider, newTransactionId))
    if (reply.accepted) return { type: 'TAKEN' }
    const { rejection } = reply
    switch (rejection.reason) {
      case 'ALREADY_RECEIVED':
        return { type: 'REPEAT' }
      case 'NOT_FOUND':
      case 'ACCOUNT_ABSENT':
        return { type: 'UNKNOWN' }
      case 'INVALID_STATE':
        // Banks give boleto payments no id; boleto, time and amount identify them.
        if (notice.kind === 'BOLETO_PAID' && (await isKnown(notice))) return { type: 'REPEAT' }
        return { type: 'REFUSED', rejection }
      default:
        return { type: 'REFUSED', rejection }
    }
  }

  return async (provider, notice) => {
    const outcome = await take(provider, notice)
    onTaken(provider, notice, outcome)
    return outcome
  }
}

/** The command that a notice stands for. */
export const commandOf = (
  { name }: Pick<ProviderModule, 'name'>,
  notice: Notice,
  by: Initiator,
  newTransactionId: () => TransactionId,
): ReceivePix | ReceiveUnrequestedPix | PayBoleto | PayBoletoByPix | ReportTransfer | DropTransfers => {
  const { accountId } = notice
  switch (notice.kind) {
    case 'PIX_IN': {
      const { pays, payer, endToEndId, paidAtMs, taxWithheldCents } = notice
      const evidence = { accountId, by, payer, endToEndId, paidAtMs, taxWithheldCents }
      if (pays === null) {
        const { amountCents } = notice
        const transactionId = newTransactionId()
        return { type: 'ReceiveUnrequestedPix', transactionId, amountCents, providerId: name, ...evidence }
      }
      const paid = { transactionId: pays.id, amountCents: notice.amountCents, ...evidence }
      return pays.kind === 'CHARGE' ? { type: 'ReceivePix', ...paid } : { type: 'PayBoletoByPix', ...paid }
    }
    case 'BOLETO_PAID': {
      const { transactionId, amountCents, paidAtMs, clearing } = notice
      return { type: 'PayBoleto', accountId, by, transactionId, amountCents, paidAtMs, clearing }
    }
    case 'TRANSFER_SEEN': {
      const { kind: _, ...report } = notice
      return { type: 'ReportTransfer', by, ...report }
    }
    case 'TRANSFER_DROPPED': {
      const { transactionId, txHash } = notice
      return { type: 'DropTransfers', accountId, by, transactionId, txHash }
    }
    default:
      return unreachable(notice)
  }
}
