import { joinWords, waysToBePaid } from '../resources/ways-to-be-paid.ts'

const ways = waysToBePaid('en')

/** What the API is for, in one line. */
export const summary = `${joinWords(ways, 'en')} for a company account.`

/** The prose of the document. */
export const introduction = `One REST API for ${joinWords([...ways, 'recurring billing', 'split payments'], 'en')}. Bodies are JSON, in UTF-8.

## Authentication

Every call carries an API key: \`Authorization: Bearer svc_test_…\`, or HTTP Basic with the key's \`clientId\` as the user and the key as the password. The key decides the company, the environment (\`svc_test_\` is Sandbox, \`svc_live_\` is Production) and, by its scopes, what the call may do. Keys belong on a server, never in an app or a browser: no CORS headers are sent. This page sends what you type into it to this service only, and does not keep the key.

## Amounts and times

Amounts are whole centavos: sent as an integer or as its digits in a string, answered as a string of digits. Basis points (\`Bps\`) are hundredths of a percent: 100 is 1 %. Times are ISO 8601 in UTC with milliseconds; dates are days of the company's time zone.

## Repeating a request

With an \`Idempotency-Key\` a request can be sent again after a timeout: for 24 hours the same key and request answer what the first one answered, with \`Idempotent-Replayed: true\`, and do nothing more. The same key with another request is refused (422). What was refused leaves its key free.

## Lists

Lists have pages: \`page\` starts at 1, \`pageSize\` is at most 200. Send \`pagination.asOf\` back as \`asOf\` with the next pages, and rows that are created meanwhile neither shift nor repeat. A list parameter takes \`a,b\` or is repeated, also as \`status[]=a\` or \`status[0]=a\`.

## Errors

Errors are \`application/problem+json\` (RFC 9457). \`code\` is the contract; \`title\` and \`detail\` are for people, in Portuguese with \`Accept-Language: pt-BR\`, else in English; \`type\` leads to the page that explains the code. 400: mend the request; every field that is wrong is in \`errors\`. 409: the state does not allow it now. 422: a business rule says no. 429 and 503: send it again after \`Retry-After\`. Fields and parameters that are not known are ignored, and named in the answer's header \`Service-Ignored-Fields\`. An optional field that is \`null\` is as if absent, and in a PATCH clears what can be cleared; \`[]\` is an empty object where an object is wanted. When a JSON object names a field twice, the last one counts.

## Webhooks

Events are sent to the endpoints of the company as signed POST requests: see *Webhooks*.`

type Tag = { readonly name: string; readonly description: string }

/** In reading order. */
export const tags: readonly Tag[] = [
  {
    name: 'PIX',
    description:
      'Charges with a QR code that a payer pays within seconds, deposits into your own account, received PIX, keys and a summary.',
  },
  {
    name: 'Card',
    description:
      'Payments with a tokenized card: authorize, capture, void, refund; chargebacks and fees. Card numbers never come here: the acquirer’s SDK gives you a token.',
  },
  {
    name: 'Boleto',
    description: 'Registered boletos with fine, interest and discount, and their PDF.',
  },
  {
    name: 'Crypto',
    description:
      'Charges in stablecoins, with an address and a price that holds while they can be paid; deposits that a person decides about, conversions between reais and stablecoins, wallets and withdrawals to them. Amounts are in millionths of the asset.',
  },
  {
    name: 'Checkout',
    description:
      'Pages where payers choose how to pay, and pay: sessions for one payer, links for many, and how the pages look.',
  },
  {
    name: 'Transactions',
    description:
      'Every kind of charge under one id, with its history; refunds, lists with totals, and export. A PIX charge, a card payment and a boleto are transactions: they have the same id here and there.',
  },
  {
    name: 'Customers',
    description: 'A register of payers. A charge for a new document adds its customer automatically.',
  },
  {
    name: 'Recurring',
    description:
      'Plans, coupons, subscriptions and their invoices, and what is done about those that are not paid (dunning).',
  },
  {
    name: 'Split',
    description: 'Recipients, rules that divide payments between them and the company, and their transfers.',
  },
  {
    name: 'Balance',
    description: 'What the company has, and every change of it. Only at the dashboard.',
  },
  {
    name: 'Transfers',
    description:
      'Money that people send by PIX or TED: whom to, who approves it, and what became of it. Only at the dashboard.',
  },
  {
    name: 'Company',
    description: 'What the company says of itself, for people who are signed in to the dashboard.',
  },
  {
    name: 'Connections',
    description:
      'The banks and acquirers that live charges go by. People who manage the company make them; secrets are sealed, and never shown.',
  },
  {
    name: 'Reconciliation',
    description:
      'Whether the books of banks and ours agree, day by day, and money that came and belongs to no charge. For people who are signed in to the dashboard.',
  },
  {
    name: 'API keys',
    description:
      'What your servers call with. Only people who are signed in to the dashboard create, change and revoke keys.',
  },
  {
    name: 'Sandbox',
    description:
      'Force every outcome: pay, expire, decline, contest, settle, move the clock. Only with a Sandbox key (`svc_test_…`).',
  },
  {
    name: 'Sign-in',
    description:
      'How people sign in to the dashboard, and what they change about themselves. A session is a cookie that only browsers hold; programs use an API key.',
  },
  {
    name: 'Team',
    description: 'The people of a company: invitations and roles. Only at the dashboard.',
  },
  {
    name: 'Audit',
    description:
      'Who did what, when and from where, in a chain that shows whether an entry was changed. Only for owners and admins.',
  },
  {
    name: 'Support',
    description:
      'Tickets: what people of a company ask the staff of the service, and what they are answered. Only at the dashboard.',
  },
  {
    name: 'Dashboard',
    description:
      'What the dashboard reads for people who are signed in. API keys are refused where a permission is reserved to people.',
  },
  {
    name: 'Webhooks',
    description: `What this service sends to your endpoints. Answer 2xx within 10 seconds, and work on it afterwards; anything else is tried again, 12 times over 50 hours. An event can come more than once: discard repeats by its \`id\`. Events about one object are first sent in their order; \`data.version\` says which is newer.

Verify every request: split \`Service-Signature\` (\`t=…,v1=…\`) at the comma, compute HMAC-SHA256 over \`t\`, a dot and the raw body with the endpoint's secret as the key, compare its hexadecimal digits with \`v1\` in constant time (while a secret is rolled there are two, and one that fits is enough), and reject a \`t\` that is more than 300 seconds off your clock.`,
  },
]

/** Groups of tags for a menu, in the form that readers of the document understand (`x-tagGroups`). */
export const tagGroups = [
  { name: 'Payments', tags: ['PIX', 'Card', 'Boleto', 'Crypto', 'Checkout', 'Transactions', 'Customers'] },
  { name: 'Products', tags: ['Recurring', 'Split'] },
  {
    name: 'Integration',
    tags: ['Company', 'Connections', 'Reconciliation', 'API keys', 'Sandbox', 'Webhooks'],
  },
  { name: 'Dashboard', tags: ['Dashboard', 'Balance', 'Transfers', 'Sign-in', 'Team', 'Audit', 'Support'] },
]

/** What the `id` in a path is, by the path in front of it. */
export const idTexts: Readonly<Record<string, string>> = {
  '/v1/me/sessions': 'Id of the session, `ses_…`.',
  '/v1/me/passkeys': 'Id of the passkey, `psk_…`.',
  '/v1/team/invitations': 'Id of the invitation, `ivt_…`.',
  '/v1/team/changes': 'Id of the change, `chg_…`.',
  '/v1/company/changes': 'Id of the change, `chg_…`.',
  '/v1/beneficiaries': 'Id of the beneficiary, `ben_…`.',
  '/v1/transfers': 'Id of the transfer, `trf_…`.',
  '/v1/split/transfers': 'Id of the transfer, `spt_…`.',
  '/v1/sandbox/transfers': 'Id of the transfer, `trf_…`.',
  '/v1/views': 'Id of the view, `vew_…`.',
  '/v1/notes': 'Id of the note, `nte_…`.',
  '/v1/support/tickets': 'Id of the ticket, `tkt_…`.',
  '/v1/team': 'Id of the membership, `mbr_…`.',
  '/v1/pix/charges': 'Id of the PIX charge, `txn_…`.',
  '/v1/pix/deposits': 'Id of the deposit, `txn_…`.',
  '/v1/card-payments': 'Id of the card payment, `txn_…`.',
  '/v1/cards/chargebacks': 'Id of the chargeback, `cbk_…`.',
  '/v1/meds': 'Id of the MED, `med_…`.',
  '/v1/boletos': 'Id of the boleto, `txn_…`.',
  '/v1/crypto/charges': 'Id of the charge in a stablecoin, `txn_…`.',
  '/v1/crypto/deposits': 'Id of the deposit, `cdp_…`.',
  '/v1/crypto/wallets': 'Id of the wallet, `wal_…`.',
  '/v1/crypto/withdrawals': 'Id of the withdrawal, `wdr_…`.',
  '/v1/conversions': 'Id of the conversion, `cnv_…`.',
  '/v1/checkout-sessions': 'Id of the checkout session, `cks_…`.',
  '/v1/payment-links': 'Id of the payment link, `lnk_…`.',
  '/v1/transactions': 'Id of the transaction, `txn_…`.',
  '/v1/customers': 'Id of the customer, `cus_…`.',
  '/v1/plans': 'Id of the plan, `pln_…`.',
  '/v1/coupons': 'Id of the coupon, `cpn_…`.',
  '/v1/dunning/plans': 'Id of the plan, `pln_…`.',
  '/v1/split/recipients': 'Id of the recipient, `rcp_…`.',
  '/v1/split/rules': 'Id of the rule, `spr_…`.',
  '/v1/subscriptions': 'Id of the subscription, `sub_…`.',
  '/v1/invoices': 'Id of the invoice, `inv_…`.',
  '/v1/connections': 'Id of the connection, `con_…`.',
  '/v1/reconciliations': 'Id of the reconciliation, `rcn_…`.',
  '/v1/suspense': 'Id of the money in suspense, `ssp_…`.',
  '/v1/keys': 'Id of the key, `key_…`.',
  '/v1/webhooks/endpoints': 'Id of the endpoint, `whk_…`.',
  '/v1/webhooks/deliveries': 'Id of the delivery, `dlv_…`.',
  '/v1/sandbox/pix/charges': 'Id of the PIX charge or deposit, `txn_…`.',
  '/v1/sandbox/transactions': 'Id of the transaction, `txn_…`.',
  '/v1/sandbox/meds': 'Id of the MED, `med_…`.',
  '/v1/sandbox/mandates': 'Id of the mandate, `mdt_…`.',
  '/v1/sandbox/boletos': 'Id of the boleto, `txn_…`.',
  '/v1/sandbox/crypto/charges': 'Id of the charge in a stablecoin, `txn_…`.',
  '/v1/sandbox/conversions': 'Id of the conversion, `cnv_…`.',
  '/v1/sandbox/crypto/withdrawals': 'Id of the withdrawal, `wdr_…`.',
  '/v1/sandbox/card-payments': 'Id of the card payment, `txn_…`.',
  '/v1/sandbox/chargebacks': 'Id of the chargeback, `cbk_…`.',
  '/v1/sandbox/refunds': 'Id of the refund, `rfd_…`.',
}
