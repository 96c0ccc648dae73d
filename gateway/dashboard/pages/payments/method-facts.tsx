import type { Schemas } from '../../core/api.ts'
import { day, documentNumber, percent } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { amountOrNone, copyable, FactSection, instant } from '../../parts/facts.tsx'

type Detail = Schemas['TransactionDetail']

/** The facts of a transaction that belong to its method; a boleto that can be paid by PIX has both parts. */
export const MethodFacts = ({ of: { status, pix, card, boleto, installments } }: { of: Detail }) => (
  <>
    {boleto && <BoletoFacts of={boleto} />}
    {pix && <PixFacts of={pix} status={status} />}
    {card && <CardFacts of={card} installments={installments} />}
  </>
)

const PixFacts = ({ of, status }: { of: NonNullable<Detail['pix']>; status: Detail['status'] }) => {
  const { payer, payerMatchesCustomer } = of
  return (
    <FactSection
      title="PIX"
      of={[
        [
          t.pix.payer,
          payer === null ? (
            of.paidAt && <span class="muted">{t.unknownPayer}</span>
          ) : (
            <>
              {payer.name || t.forgottenPayer}
              <small class="sub">{documentNumber(payer.document)}</small>
            </>
          ),
        ],
        [t.pix.payerBank, payer?.bankName],
        [
          t.pix.payerMatches,
          payerMatchesCustomer === false ? (
            <strong key="no" class="warn-text">
              {t.common.no}
            </strong>
          ) : (
            payerMatchesCustomer && t.common.yes
          ),
        ],
        ['E2E', copyable(of.endToEndId)],
        ['txid', copyable(of.txid)],
        [t.common.type, t.pixType[of.type]],
        [t.boletos.dueDate, of.dueDate && day(of.dueDate)],
        // The bank has no record yet of what it has not answered.
        [t.pix.registry, status !== 'CREATED' && t.pix.registryStatus[of.registryStatus]],
        [t.transactions.paidAt, instant(of.paidAt)],
      ]}
    />
  )
}

type CardFactsProps = { of: NonNullable<Detail['card']>; installments: Detail['installments'] }

const CardFacts = ({ of, installments }: CardFactsProps) => (
  <FactSection
    title={t.cards.card}
    of={[
      [
        t.cards.number,
        <>
          {t.brand[of.brand]} {of.bin && <code>{of.bin}</code>} ···· {of.last4}
        </>,
      ],
      [t.cards.holder, of.holderName],
      [t.cards.installments, installments && installments > 1 ? `${installments}×` : t.cards.single],
      ['NSU', copyable(of.nsu)],
      ['TID', copyable(of.tid)],
      [t.cards.authorization, of.authorizationCode],
      [t.cards.acquirer, of.acquirerReturnCode && `${of.acquirerReturnCode} · ${of.acquirerMessage ?? ''}`],
      [t.cards.authorizedAt, instant(of.authorizedAt)],
      [t.cards.capturedAt, instant(of.capturedAt)],
      [t.cards.expiresAt, instant(of.authorizationExpiresAt)],
    ]}
  />
)

const BoletoFacts = ({ of }: { of: NonNullable<Detail['boleto']> }) => (
  <FactSection
    title="Boleto"
    of={[
      [t.boletos.dueDate, day(of.dueDate)],
      [t.boletos.payableUntil, day(of.payableUntil)],
      [t.boletos.today, amountOrNone(of.payableAmountToday)],
      [t.boletos.daysOverdue, of.daysOverdue || null],
      [t.boletos.fine, of.fineBps > 0 && percent(of.fineBps)],
      [t.boletos.interest, of.interestBps > 0 && percent(of.interestBps)],
      [t.coupons.discount, amountOrNone(of.discountAmount)],
      [t.boletos.ourNumber, copyable(of.ourNumber)],
      [t.money.bank, of.bankCode],
      [t.boletos.instructions, of.instructions],
      [t.transactions.paidAt, instant(of.paidAt)],
      [t.boletos.clearedAt, instant(of.clearedAt)],
    ]}
  />
)
