import Type, { type Static } from 'typebox'
import { institutionBehind } from '../../../engine/companies/connection.ts'
import type { Directory } from '../../../engine/companies/directory.ts'
import { fiscalLinkOf } from '../../../engine/payments/fiscal/fiscal-link.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { CompanyId, ConnectionId } from '../../../engine/shared/ids.ts'
import { bounds } from '../../base/bounds.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { listOf, nullableField, textOf } from '../fields.ts'
import { fieldsOf } from '../resource.ts'

/** Who takes the money of a company's charges, as fiscal documents name them. */
export type FiscalPayee = {
  /** Null where the company has a CPF. */
  readonly cnpj: string | null
  readonly timeZone: string
  /** The base of the CNPJ of the institution behind a connection; null where it is not known, and in the Sandbox. */
  readonly institutionOf: (connectionId: ConnectionId | null) => string | null
}

/** Who takes the money of a company, as the directory has it now. */
export const fiscalPayeeOf = (
  { companies, connections }: Pick<Directory, 'companies' | 'connections'>,
  companyId: CompanyId,
): FiscalPayee => {
  const company = companies.get(companyId)
  if (company === undefined) return noPayee
  return {
    cnpj: company.document.length === 14 ? company.document : null,
    timeZone: company.timeZone,
    institutionOf: (id) => {
      const connection = id === null ? undefined : connections.byId.get(id)
      return connection === undefined ? null : institutionBehind(connection)
    },
  }
}

/** No one in particular: for what shows nothing fiscal. */
export const noPayee: FiscalPayee = { cnpj: null, timeZone: 'UTC', institutionOf: () => null }

const accessKey = Type.String({
  format: 'access-key',
  description: 'The 44 characters of the access key of a fiscal document, without spaces.',
})

/** The fiscal documents of a sale, as bodies send them. */
export const fiscalDocumentsInput = Type.Array(accessKey, {
  maxItems: bounds.fiscalDocumentsMax,
  uniqueItems: true,
  description: `The access keys of the NF-e, NFC-e or CT-e of the sale, at most ${bounds.fiscalDocumentsMax}.`,
})

/** The filter of lists by whether a sale names a fiscal document. */
export const fiscalDocumentsParameter = Type.Optional(
  described(
    choice('MISSING', 'PRESENT'),
    '`MISSING`: sales that are paid, neither deposits nor given back whole, and name no fiscal document; `PRESENT`: what names one. With `dateField=approvedAt`, `from` and `to` this is the report of sales without a document.',
  ),
)

/** What a shop writes into a fiscal document to link it with a payment (group `gPgtoVinc`, event 110300). */
const fiscal = namedObject(
  'FiscalLink',
  'What a fiscal document says of the payment, so that it is linked with the sale (group `gPgtoVinc` of NF-e, event 110300).',
  {
    idTransacao: nullableField(
      Type.String({ minLength: 2, maxLength: 35 }),
      'The id of the payment: the txid of a PIX or the nosso número of a boleto, known before the sale; the end-to-end id of a PIX without a charge; the TID of a card. Null where there is none yet, and for stablecoins.',
    ),
    tpMeioPgto: Type.String({
      pattern: '^[0-9]{2}$',
      description:
        'The code of the means of payment, as it counts on the day of the payment: 17 PIX by a charge, 20 PIX to the key, 15 boleto, 03 credit card, 04 debit card, 99 others. A boleto that is paid by its QR code is a PIX from then on.',
    }),
    cnpjReceb: nullableField(
      textOf('The CNPJ of the company, which takes the money. Null where it has a CPF.'),
    ),
    cnpjBasePsp: nullableField(
      textOf(
        'The first eight characters of the CNPJ of the institution behind the connection. Null in the Sandbox, where there is none.',
      ),
    ),
  },
)

const fiscalView = (transaction: Transaction, payee: FiscalPayee): Static<typeof fiscal> => {
  const { transactionKey: idTransacao, meansCode: tpMeioPgto } = fiscalLinkOf(transaction, payee.timeZone)
  const cnpjBasePsp = payee.institutionOf(transaction.connectionId)
  return { idTransacao, tpMeioPgto, cnpjReceb: payee.cnpj, cnpjBasePsp }
}

/** The fields of a transaction that fiscal documents are about. */
export const fiscalFields = fieldsOf<Transaction, [{ readonly payee: FiscalPayee }]>().with({
  fiscal: [fiscal, (transaction, { payee }) => fiscalView(transaction, payee)],
  fiscalDocuments: [
    listOf(accessKey, 'The access keys of the fiscal documents of the sale, as they were sent.'),
    ({ fiscalDocuments }) => [...(fiscalDocuments ?? [])],
  ],
})
