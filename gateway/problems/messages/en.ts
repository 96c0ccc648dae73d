import type { CouponRefusal } from '../../../engine/billing/catalog/redemption.ts'
import type { Format } from '../../base/formats.ts'

/** What is wrong with one field. Several of these are joined into one sentence, so none is a sentence by itself. */
const fields = {
  required: (field: string) => `${field} is required`,
  mustBe: (field: string, wanted: string) => `${field} must be ${wanted}`,
  key: (field: string, wanted: string) => `${field} has a name that is not ${wanted}`,
  noItemTwice: (field: string) => `${field} must not contain the same item twice`,
  atMostKeys: (field: string, max: number) => `${field} must have at most ${max} keys`,
  notValid: (field: string) => `${field} is not valid`,

  /** Exactly one of two fields is required. */
  eitherOr: (one: string, other: string) => `send either ${one} or ${other}, not both`,
  oneOfTwo: (one: string, other: string) => `${one} or ${other} is required`,
  requiredWith: (field: string, other: string, value: string) =>
    `${field} is required when ${other} is ${value}`,
  onlyWith: (field: string, other: string, value: string) =>
    `${field} can be sent only when ${other} is ${value}`,
  notWith: (field: string, other: string, value: string) =>
    `${field} cannot be sent when ${other} is ${value}`,
  lessThan: (field: string, other: string) => `${field} must be less than ${other}`,
  notLessThan: (field: string, other: string) => `${field} must not be less than ${other}`,
  notMoreThan: (field: string, other: string) => `${field} must not be more than ${other}`,
  notBefore: (field: string, other: string) => `${field} must not be before ${other}`,
  after: (field: string, other: string) => `${field} must be after ${other}`,
  withinDays: (field: string, other: string, days: number) =>
    `${field} must be ${other} or at most ${days} days later`,
  atLeastCents: (field: string, cents: number) => `${field} must be at least ${cents} centavos in this case`,
  atMostCents: (field: string, cents: number) =>
    `${field} must be at most ${cents} centavos with this payment method`,

  atMostUnits: (field: string, amount: number) => `${field} must be at most ${amount}`,

  inThePast: (field: string) => `${field} must not be before today`,
  inTheFuture: (field: string) => `${field} must not be in the future`,
  tooManyDaysAhead: (field: string, days: number) => `${field} must be at most ${days} days ahead`,
  daysFrom: (field: string, start: string, days: number) =>
    `${field} must be from ${start} to ${days} days after it`,
  tooManyYearsAhead: (field: string, years: number) => `${field} must be at most ${years} years ahead`,

  parameterWithoutName:
    'the query has a parameter without a name, or with one that is not percent-encoded UTF-8',
  parameterNotText: (field: string) => `${field} must be percent-encoded UTF-8 without control characters`,
  parameterRepeated: (field: string) => `${field} must be given only once`,
  tedToKey: (field: string) => `${field} must be PIX: a PIX key takes no TED`,
  notAMarker: (field: string) => `${field} must be the asOf of an earlier page`,

  documentRequired: (field: string) => `${field} is required: a boleto names its payer by CPF or CNPJ`,
  documentAsText: (field: string) =>
    `${field} must be a string, such as "01234567890": a number loses the zeros that it begins with`,
  documentForm: (field: string, length: number) =>
    `${field} must be a CPF of 11 digits, or a CNPJ of 14 characters whose last two are digits: this has ${length} without punctuation`,
  documentCheckDigits: (field: string) =>
    `${field} must have correct check digits: one of its digits is wrong`,
  documentFixed: (field: string) => `${field} identifies the recipient and cannot be changed`,
  currencyOfMethod: (field: string) => `${field} must be a stablecoin with method CRYPTO, and BRL otherwise`,
  networkOfAsset: (field: string, asset: string, networks: readonly string[]) =>
    `${field} must be one of ${networks.join(', ')} for ${asset}`,
  oneSideInReais: (field: string) =>
    `${field} must be a stablecoin when the other side is BRL, and BRL otherwise`,
  amountOutOfQuote: (field: string) => `${field} is too small or too large to be converted`,
  onlyCardHasInstallments: (field: string) => `${field} must be 1: only a card is paid in instalments`,
  setupFeeAndAmount: (field: string, cents: number) =>
    `${field} and setupFee must be at most ${cents} centavos together with these payment methods`,
  daysOfCustomInterval: (field: string) =>
    `${field} is required: it counts days when interval is CUSTOM, otherwise intervals`,
  intervalsAtMost: (field: string, max: number) => `${field} must be at most ${max} with this interval`,
  redeemedMoreOften: (field: string, count: number) =>
    `${field} must be at least ${count}: the coupon has been redeemed that many times`,
  paidMoreOften: (field: string, count: number) =>
    `${field} must be at least ${count}: the link was paid that many times`,
  between: (field: string, least: number, most: number) => `${field} must be from ${least} to ${most}`,
  notOffered: (field: string) => `${field} is not offered here`,
  httpsOnly: (field: string) => `${field} must begin with https:// in Production`,
  pageUrl: (field: string) =>
    `${field} must be an address that begins with https://, without user or password`,
  sumOfItems: (field: string, sum: number) => `${field} must be the sum of the items, ${sum}`,
  nothingToPay: (field: string) => `${field} would leave nothing to pay`,
  laterThanTheDayBefore: (field: string) => `${field} must be later than the day before it in the list`,
  recipientTwice: (field: string) => `${field} names a recipient that another item names already`,
  moreThanAll: (field: string) =>
    `the percentages of ${field} must not add up to more than 10000 basis points`,
  remainderTwice: (field: string) => `${field} can be true for one item only`,
  paidAtOfBoleto: (field: string) => `${field} must be between the creation of the boleto and now`,
  beforeFirstBoleto: (field: string) => `${field} is before the first due date that a boleto can have`,
  pixClearsAtOnce: (field: string) =>
    `${field} cannot be sent when by is PIX: a PIX is paid and cleared at once`,
  fileNoBase64: (field: string) => `${field} must be a file in base64`,
  fileNoEvidence: (field: string) => `${field} must be a whole PDF, PNG or JPEG file`,
  fileNoStatement: (field: string, why: string) => `${field} is not a statement in OFX: ${why}`,
  fileNoStatementFor: {
    TOO_LONG: 'it is longer than one MiB',
    NO_OFX: 'it has no OFX in it',
    DECLARATION: 'it declares something of its own',
    ACCOUNT: 'it must name one account',
    CURRENCY: 'it must be in reais',
    PERIOD: 'it must say its period',
    LINE: 'one of its lines cannot be read',
    ID: 'two of its lines have one id',
  },
  filesTooLong: (field: string, max: number) =>
    `${field} must have at most ${max} characters of base64 together`,
  noQrCode: (field: string) => `${field} cannot be PIX: this boleto has no QR code`,
  clockGoesForward: (field: string) =>
    `${field} must not be before the time of the clock, which only goes forward; reset returns to real time`,
  clockStepTooLong: (field: string) =>
    `${field} must advance the clock by at most two years, and not beyond the year 8999`,
  unknownTestToken: (field: string, prefix: string, tokens: readonly string[]) =>
    `${field} begins with ${prefix}, so it must be one of ${tokens.join(', ')}`,
  subscriptionHasNoCard: (field: string) => `${field} is required: the subscription has no card`,
}

/** What a value has to be, as a phrase after "must be". */
const wanted = {
  oneOf: (words: readonly string[]) => (words.length === 1 ? words[0]! : `one of ${words.join(', ')}`),
  /** Amounts are the most common mistake, so the message shows a correct one. */
  centavos: (min: number, max: number) =>
    `a whole number of centavos from ${min} to ${max}, without separators or leading zeros: send 1990 or "1990" for R$ 19.90`,
  wholeNumber: (min: number | null, max: number | null) =>
    `a whole number${min === null ? '' : max === null ? ` of at least ${min}` : ` from ${min} to ${max}`}`,
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  null: 'null',
  list: (min: number | null, max: number | null) => `a list${counted(min, max, 'item', 'items')}`,
  string: (length: string) => `a string${length}`,
  length: (min: number | null, max: number | null) => counted(min, max, 'character', 'characters'),
  or: (alternatives: readonly string[]) => listed(alternatives),
  formats: {
    text: (length) => `a text${length} without control characters`,
    'multiline-text': (length) => `a text${length} without control characters other than tab and line feed`,
    'cpf-cnpj': () => 'a CPF or CNPJ with correct check digits',
    'access-key': () =>
      'the access key of a fiscal document: 44 characters without spaces, of which the last is the right check digit',
    'e-mail': () => 'an e-mail address',
    phone: () =>
      'a telephone number with area code, 10 to 13 digits, or with + and the code of another country',
    cep: () => 'a CEP of eight digits',
    date: () => 'a date (YYYY-MM-DD)',
    'date-time': () => 'an ISO 8601 date and time with Z or an offset, such as 2027-01-31T12:00:00Z',
    'date-or-date-time': () =>
      'a date (YYYY-MM-DD), or an ISO 8601 date and time with Z or an offset, such as 2027-01-31T12:00:00Z',
    duration: () => 'an ISO 8601 duration, such as P1M or PT2H',
    'card-brand': () => 'one of VISA, MASTERCARD, ELO, AMEX, HIPERCARD, OTHER',
    'field-key': (length) =>
      `a name${length} that begins with a letter, made of letters without accents, digits and _`,
    'coupon-code': (length) => `a code${length}, made of letters without accents, digits, _ and -`,
    'one-time-code': () => 'six digits',
    last4: () => 'the last four digits of the card',
    bin: () => 'the first six or eight digits of the card',
    'bank-code': () => 'three digits',
    ispb: () => 'the eight digits of a bank',
    'payment-system-code': () => 'a code of four capital letters or digits, such as AM04',
    'bank-branch': () => 'one to five digits, with a hyphen and a check digit where there is one',
    'statement-descriptor': () => '5 to 22 of A–Z, 0–9, dot, asterisk, hyphen and space',
    color: () => 'a colour such as #1f7a5a',
    'https-url': () => 'an address that begins with https://, without user or password',
    'shown-name': (length) =>
      `a text${length} without line breaks, control characters or marks of the direction of writing`,
    'noted-object': () => 'the id of a transaction or customer, such as txn_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'ticket-object': () =>
      'the id of a transaction, transfer, withdrawal or delivery, such as txn_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'crypto-amount': () => 'a decimal number with at most six decimals, such as "18.45"',
    'pix-key': () => 'a PIX key: CPF, CNPJ, e-mail, telephone with + and country code, or random key',
    network: () => 'a network such as 203.0.113.0/24 or 2001:db8::/32',
    'bank-account': () => 'one to 13 digits, with a hyphen and a check digit where there is one',
  } satisfies Readonly<Record<Format, (length: string) => string>> as Readonly<
    Record<Format, (length: string) => string>
  >,
}

/** What happened, in whole sentences, for when the code's general cause says too little. */
const details = {
  sendAKey:
    'Send a valid API key as "Authorization: Bearer <key>", or with HTTP Basic: its clientId as the user, the key as the password.',
  unavailable:
    'Either nothing was done, or the outcome is not known yet. Send the same request again with the same Idempotency-Key.',
  internalError: 'An error in the service itself. Send the same request again with the same Idempotency-Key.',
  scopeMissing: (scope: string) => `This operation needs a key with the scope ${scope}.`,
  wrongSignIn: 'Wrong e-mail address or password.',
  permissionMissing: (permission: string) =>
    `Your role in this company and environment does not have the permission ${permission}.`,
  productNotActive: (product: string) => `The product ${product} is not active for this company.`,
  notFound: (resource: string) => `There is no such ${resource} in this company and environment.`,
  nearPath: (path: string) => `No operation has this path. The nearest is ${path}.`,
  allowedMethods: (verbs: string) => `This path accepts only ${verbs}.`,
  rateLimited: (policy: string, seconds: number) =>
    `The key has sent more requests than the policy ${policy} allows. Try again in ${seconds} s.`,
  liveStreams: (max: number) =>
    `The session has ${max} live streams already. Close one, or let the windows of one browser share theirs.`,
  jsonFault: (line: number, column: number) =>
    `The body is not valid JSON: it goes wrong at line ${line}, column ${column}.`,
  bodyNotUtf8: 'The body is not UTF-8.',
  byteOrderMark: 'The body begins with a byte order mark (U+FEFF). Send UTF-8 without one.',
  bodyNotAnObject: 'The body is valid JSON, but not an object.',
  tooManyLevels: (max: number) => `The body has more than ${max} levels.`,
  tooManyKeys: (max: number) => `The body has more than ${max} keys.`,
  protoKey: 'The body has a key __proto__.',
  numberTooLarge: 'The body has a number that is too large for a double.',
  halfSurrogate: 'The body has a string with half a surrogate pair.',
  nulCharacter: 'The body has a string with the character U+0000.',
  invalidState: (current: string, allowed: readonly string[]) =>
    allowed.length === 0
      ? `Not possible while the status is ${current}.`
      : `Not possible while the status is ${current}, only while it is ${listed(allowed)}.`,
  clockResetMeanwhile: 'The clock was reset before it reached its target; what was due until then was done.',
  neverPaid: 'The Sandbox scenario never_paid refuses every payment of this charge.',
  providerAsked: (operation: string) =>
    `A provider is being asked (${operation}). Try again when it has answered.`,
  decidedAlready: 'You have already approved or rejected this: each person decides once.',
  deliveryUnfinished: 'The delivery is still being attempted.',
  deliveryFinished: 'The delivery has ended: no attempt follows.',
  deliveryForgotten: 'What was sent is forgotten with its payer, and cannot be sent again.',
  tooManyOpenTickets: (max: number) =>
    `${max} tickets are open, and more are not taken. Close one that is settled.`,
  tooManyNotes: (notes: number) => `At most ${notes} notes stand at a transaction or customer.`,
  noteOfAnother: 'Only its author, an owner or an admin deletes a note.',
  statementRefused: {
    OTHER_ACCOUNT: 'The file is the statement of another account.',
    ACCOUNT_UNKNOWN:
      'The connection does not say which account it has: set receiverBranch and receiverAccount first.',
    OTHER_DAYS: 'The period of the file does not have the day in it.',
    BANK_GAVE_IT: 'The bank itself has given its statement of the day.',
    TOO_MANY: 'The day has more lines than a file may have.',
  },
  notBorneOut: {
    ID_UNREADABLE: 'This is no id of a PIX that was sent: it begins with E and has 32 characters.',
    ID_OF_OTHER_TIME: 'The PIX with this id was made before the transfer, or in the future.',
    ID_KNOWN: 'The PIX with this id is another transfer.',
    NO_STATEMENT: 'The bank’s statement of that day has not been compared yet.',
    NOT_IN_STATEMENT: 'The bank’s statement of that day shows no such PIX of this amount.',
    OTHERS_COUNT:
      'The statements show another number of PIX of this amount that are none of ours. Look at each of them: one may be this transfer.',
  },
  tooManyViews: (max: number) => `You have saved ${max} views, the maximum. Delete one first.`,
  ticketClosedForLong: (days: number) =>
    `The ticket was closed more than ${days} days ago. Open a new one and name the old one in it.`,
  captureUnknown:
    'The acquirer has not answered the capture yet and is being asked again. Read the payment to see the outcome.',
  voidUnknown:
    'The acquirer has not answered the cancellation yet and is being asked again. Read the payment to see the outcome.',
  bankCancellationUnknown:
    'The bank has not answered the cancellation yet and is being asked again. Read the charge to see the outcome.',
  bankCancellationRefused: 'The bank did not cancel the charge. It can still be paid.',
  captureRefused: (message: string | null) =>
    `The acquirer refused the capture${inBrackets(message)}. The payment stays authorized.`,
  voidRefused: (message: string | null) =>
    `The acquirer refused to cancel the authorization${inBrackets(message)}.`,
  belowNetworkFee: 'The network fee is more than the amount to send.',
  chargeSentOften: (mails: number) => `A charge is sent at most ${mails} times in 24 hours.`,
  companySentOften: (mails: number) => `A company sends at most ${mails} charges an hour.`,
  tooManyQuotes: 'A person gets ten quotes a minute.',
  payable: (cents: number) => `It can be paid only with exactly ${cents} centavos.`,
  capturable: (cents: number) => `At most ${cents} centavos can be captured.`,
  refundable: (cents: number) => `At most ${cents} centavos can be refunded.`,
  methodNotRefundable: (method: string) => `A ${method} payment cannot be refunded through the API.`,
  refundWindow: (days: number) => `A refund is possible for ${days} days after the payment.`,
  chargebackWindow: (days: number) => `A chargeback is possible for ${days} days after the payment.`,
  medWindow: (days: number) => `A MED is possible for ${days} days after the payment.`,
  defenseWas: (until: string) => `A defense was possible until ${until}.`,
  defendedAlready: 'You have answered this MED already: that is possible once.',
  nothingReturned: 'This MED has returned nothing that you could ask for.',
  planFieldFixed: (field: string) =>
    `${field} can no longer be changed, because the plan has or had subscriptions.`,
  couponFieldFixed: (field: string) =>
    `${field} can no longer be changed, because the coupon has been redeemed.`,
  linkFieldFixed: (field: string) =>
    `${field} can no longer be changed, because a payer has opened the link to pay.`,
  pageMethods: (methods: readonly string[]) => `This page can be paid by ${listed(methods)}.`,
  paymentUnderWay: (method: string) => `A payment by ${method} is being decided.`,
  pageOutdated: 'Another charge of this page was made or ended since it was shown.',
  tooManyTries: 'This page has made as many charges as it can.',
  linkBusy: 'Another payer is paying at this link.',
  taken: (field: string) => `Another object already has this ${field}.`,
  planMethods: (methods: readonly string[]) => `The plan can be paid by ${listed(methods)}.`,
  references: (field: string) => `${field} belongs to no object of this company and environment.`,
  singleTransfer: (cents: number) => `A single transfer can be of at most ${cents} centavos.`,
  approverTooNew:
    'You got your role after this was requested, without confirmation by another person: ask another approver.',
  limitLeft: (cents: number) => `At most ${cents} centavos are left of the limit.`,
  notConnected: (rail: string) =>
    `No provider is connected for ${rail} in this environment. Nothing was stored.`,
  notOffered: (rail: string, operation: string) =>
    operation === 'LOOKUP_KEY'
      ? 'The connected bank does not say who owns a PIX key: register the payee by its bank account.'
      : `The provider that is connected for ${rail} does not offer ${operation}. Nothing was stored.`,
  exportRows: (max: number) => `An export can have at most ${max} rows: narrow the period or the filters.`,
  couponRefused: {
    NOT_FOUND: 'There is no coupon with this code.',
    INACTIVE: 'The coupon is inactive.',
    NOT_STARTED: 'The coupon cannot be redeemed yet.',
    EXPIRED: 'The coupon has expired.',
    EXHAUSTED: 'The coupon has been redeemed as often as it can be.',
    PLAN_NOT_ELIGIBLE: 'The coupon is not for this plan.',
    CUSTOMER_LIMIT: 'This customer has redeemed the coupon as often as one customer can.',
    BELOW_MINIMUM: 'The plan costs less than the coupon asks for.',
  } satisfies Readonly<Record<CouponRefusal, string>> as Readonly<Record<CouponRefusal, string>>,
}

/** Why the service refuses an operation that a person asks for. */
const operations = {
  connectionIs: (id: string, state: string, wanted: string) => `${id} is ${state}, and has to be ${wanted}`,
  unknownSetting: (name: string) => `${name} is no setting of this provider`,
  operatorSetting: (name: string) => `${name} is set by the operator of the service alone`,
  noStatementInterface: (bank: string) =>
    `${bank} gives its statement by no interface that is known: people upload it as a file`,
  receiverAccountMissing: () =>
    'with pixAutomatic the settings name the account that charges by mandate are paid to: receiverAccount, and receiverBranch where the bank has branches',
  sandboxHasProviders: () => 'the Sandbox has providers of its own: connections are for production',
  noProvider: (name: string, known: string) => `there is no provider ${name}; there are ${known || 'none'}`,
  placeTaken: (role: string, rails: string, id: string) =>
    `${id} is the ${role} connection for ${rails} already: retire it first, or make this one with the other role or for other rails`,
  connectionFails: (id: string, detail: string) => `${id} does not work: ${detail}`,
  connectionChanged: (id: string) => `${id} was changed meanwhile: look at it, and try again`,
  certificateExpired: (id: string) => `the certificate of ${id} has expired: rotate its credentials first`,
  credentialsLost: (id: string) =>
    `the service was restored to before ${id} was made, so its credentials are lost: rotate it, with all of its settings`,
  credentialsUnverified: (id: string) =>
    `the service was restored to before the credentials of ${id} were replaced: verify it, or rotate them once more, and resume it then`,
  otherPixKey: (id: string) => `another PIX key is another connection: ${id} keeps its own`,
  noFormerCredentials: (id: string) =>
    `${id} has no credentials to take back: they are kept for 24 hours after a rotation`,
  tooManyConnections: (max: number) => `a company has at most ${max} connections that are not retired`,
  tooManyKeys: (max: number) => `a company has at most ${max} active keys in an environment: revoke one`,
  keyRevoked: (id: string) => `key ${id} was revoked: create another one`,
  keyRolled: (id: string, into: string) => `key ${id} was rolled already, into ${into}: roll that one`,
  keyExpired: (id: string) => `key ${id} has expired: create another one`,
  scopesOnlyFewer: (scope: string) => `scopes can only become fewer: for ${scope} create another key`,
  tooManyNetworks: (max: number) => `ipAllowList has at most ${max} networks`,
  noNetwork: (text: string) => `ipAllowList: ${text} is no network such as 203.0.113.0/24 or 2001:db8::/32`,
  noDateTime: (field: string) => `${field} must be an ISO 8601 date-time`,
  notAhead: (field: string) => `${field} must be in the future`,
  beyondTwoYears: (field: string, until: string) =>
    `${field} must be at most two years ahead, until ${until}`,
  tooManyEndpoints: (max: number) => `a company has at most ${max} endpoints in an environment`,
  endpointDeleted: (id: string) => `endpoint ${id} was deleted`,
  endpointDisabled: (id: string) => `endpoint ${id} is disabled: enable it first`,
  testsPerMinute: (max: number) => `an endpoint gets at most ${max} test events a minute`,
  tooManyResent: (total: number, max: number) =>
    `${total} deliveries fit, and at most ${max} are sent again together: narrow the filter`,
  fromBeforeTo: () => 'from must be before to',
  replaySpan: (days: number) => `a replay spans at most ${days} days`,
  worksElsewhere: () =>
    'The person works for another company too: the operator of the service resets the factor.',
  factorWrong: () => 'The code or signature is wrong. Nothing was done.',
  factorUsed: () =>
    'The code was used before, or the challenge was answered before or is too old. Nothing was done: use the next code of the app, or sign a new challenge.',
  factorOfOther: () =>
    'The passkey signed another operation, or the same one for another company, environment or session. Nothing was done: sign a challenge for this request.',
  passkeyCounter: () =>
    'The passkey counted fewer signatures than before, as a copied key does. Nothing was done: use another factor, remove this passkey, and add it again.',
  lastFactor: () => 'The last second factor cannot be removed: add another one first.',
  passwordLength: (min: number, max: number) => `password must have ${min} to ${max} characters`,
  noEmail: () => 'email must be an e-mail address',
  noRole: () => 'roles must name at least one role',
  logoTooLong: (max: number) => `image must have at most ${max} characters of base64`,
  logoNoBase64: () => 'image must be a picture in base64',
  logoNoPicture: () => 'image must be a whole PNG or JPEG picture',
  logoSize: (min: number, max: number) => `image must be ${min} to ${max} pixels wide and high`,
  urlRefused: (reason: string) => `url is refused: ${reason}`,
  headerName: (name: string) =>
    `headers: ${name} is not a name that a header of your own may have; none that the service sends itself, none of the connection`,
  headerValue: (name: string, max: number) =>
    `headers: the value of ${name} must be 1 to ${max} visible ASCII characters, with spaces only inside`,
  headerTwice: () => 'headers: a header is named twice; case does not count',
  tooManyHeaders: (max: number) => `headers: an endpoint has at most ${max} of its own`,
  headersOfOtherUrl: (names: string) =>
    `headers: the url is another one, so ${names} must be sent again or removed with null`,
  extraEvent: (types: string) => `events: ${types} is only received with extraEvents`,
  noneOf: (field: string, given: string, words: readonly string[]) =>
    `${field}: ${given} is not one of ${words.join(', ')}`,
  noZone: (zone: string) => `timezone ${zone} is not an IANA time zone`,
  /** A phrase after "must be". */
  aWebsite: 'a URL that begins with https:// or http://',
}

/** Why a URL cannot be a webhook endpoint's. */
const urls = {
  blanks: 'it must not contain spaces, tabs, line breaks or control characters',
  noUrl: (max: number) => `not a URL of at most ${max} characters`,
  tooLong: (max: number) => `longer than ${max} characters`,
  host: 'its host is not one that webhooks may go to',
  https: 'it must start with https://',
  http: 'it must start with https:// or http://',
  port: 'its port must be 443 or 8443',
  portZero: 'port 0 cannot be connected to',
  credentials: 'it must not carry a user name or a password',
  fragment: 'it must not have a fragment',
}

/** The messages of errors in English. They define the shape of the other languages: a message that one lacks does not compile. */
export const en = { ...fields, wanted, details, operations, urls }

function counted(min: number | null, max: number | null, one: string, many: string): string {
  const least = min ?? 0
  if (max === null) return least === 0 ? '' : ` of at least ${least} ${least === 1 ? one : many}`
  return least === 0 ? ` of at most ${max} ${many}` : ` of ${least} to ${max} ${many}`
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} or ${items.at(-1)!}`
}

function inBrackets(text: string | null): string {
  return text === null ? '' : ` (${text})`
}
