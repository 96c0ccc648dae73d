import { cardRefunds } from '../../engine/payments/methods/card/refunds.ts'
import { pixRefunds } from '../../engine/payments/methods/pix/refunds.ts'
import { bounds } from '../../engine/shared/bounds.ts'
import type { ProblemCode } from './catalogue.ts'
import type { ProblemText } from './problem-text.ts'

/** The errors in English. */
export const en: Readonly<Record<ProblemCode, ProblemText>> = {
  INVALID_JSON: {
    title: 'The body is not a JSON object',
    cause:
      'The body could not be read as a JSON object: it is not valid JSON in UTF-8, or it is a list, a string or a number instead of an object.',
    remedy:
      'Serialize the body with a JSON library and send it in UTF-8, without a byte order mark. `detail` names the line and column of the first character that is not valid there.',
  },
  VALIDATION_ERROR: {
    title: 'Invalid request',
    cause: 'At least one field of the body or the query is missing or has a value that cannot be accepted.',
    remedy:
      '`errors` lists every such field at once, each with a `code` for programs and a `message` for people. Correct them and send the request again; the same `Idempotency-Key` may be used.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    title: 'Invalid Idempotency-Key',
    cause:
      'The Idempotency-Key header is empty, longer than 255 characters, not printable ASCII, or was sent twice.',
    remedy:
      'Send the header once, with 1 to 255 printable ASCII characters. A random UUID for each operation is a good key.',
  },
  CARD_DATA_NOT_ALLOWED: {
    title: 'Card data must not be sent',
    cause:
      'The request seems to contain a card number or a security code. It was refused before anything was stored or logged.',
    remedy:
      "Tokenize the card with the acquirer's SDK and send only `card.token`, `card.brand` and `card.last4`. The card number should never pass through your servers.",
  },
  PASSWORD_TOO_COMMON: {
    title: 'The password is easy to guess',
    cause:
      'The password is a common word or pattern with digits and signs around it, or made of the name, the e-mail address or the company.',
    remedy:
      'Choose a longer sentence of words that do not belong together, or let a password manager make one.',
  },
  BAD_REQUEST: {
    title: 'The request is not valid HTTP',
    cause: 'The request could not be read as HTTP/1.1, or did not arrive in time.',
    remedy: 'Send it with a standard HTTP client, and check the proxies in between.',
  },
  UNAUTHORIZED: {
    title: 'Authentication failed',
    cause:
      'The request carries no valid API key. A key that is missing, mistyped, unknown or revoked and a company that is suspended all get this same answer.',
    remedy:
      'Send the key as `Authorization: Bearer <key>`, or with HTTP Basic: the `clientId` as the user and the key as the password. Test keys begin with `svc_test_`, live keys with `svc_live_`.',
  },
  PAYMENT_DECLINED: {
    title: 'The payment was declined',
    cause:
      'The card was declined for the price difference of the new plan. The subscription stays on its current plan.',
    remedy:
      '`failureReason` says why. Ask for another card, or change the plan with `effective: "PERIOD_END"`, which charges nothing now.',
  },
  NO_PERMISSION: {
    title: 'No permission',
    cause: 'The API key lacks the scope, or the person the permission, that this operation needs.',
    remedy:
      '`requiredScope` names it for a key: scopes are chosen when a key is created, so ask for one that has it. For a person, `requiredPermission` does: it comes with the role, which an owner or admin of the company can change.',
  },
  PRODUCT_NOT_ACTIVE: {
    title: 'The product is not active',
    cause: 'The operation belongs to a product that is not active for the company in this environment.',
    remedy: '`product` names it. Ask the operator of the service to activate it.',
  },
  SANDBOX_ONLY: {
    title: 'Sandbox only',
    cause: 'This operation exists only in the Sandbox, and the API key is a live one.',
    remedy: 'Use a test key (`svc_test_…`).',
  },
  DASHBOARD_ONLY: {
    title: 'Only at the dashboard',
    cause:
      'The operation is reserved to people who are signed in to the dashboard with a second factor. No API key can do it, whatever its scopes.',
    remedy: 'Do it at the dashboard (`/painel`), or ask a member of the company whose role allows it.',
  },
  ENROLMENT_REQUIRED: {
    title: 'A second factor has to be added first',
    cause:
      'The person has signed in but has no second factor yet. Until there is one, nothing else can be done.',
    remedy:
      'Add an authenticator app (`POST /v1/me/totp`) or a passkey (`POST /v1/me/passkeys`), and send the request again.',
  },
  STEP_UP_REQUIRED: {
    title: 'Confirm your second factor again',
    cause: 'The operation needs a second factor that was given on this session within the last five minutes.',
    remedy: 'Send a factor of `methods` to `POST /v1/session/step-up`, then the request again.',
  },
  SECOND_FACTOR_REQUIRED: {
    title: 'The operation has to be confirmed',
    cause: 'The operation needs a second factor of its own, and the request has none.',
    remedy:
      'Send the request again with `Service-Second-Factor: totp 123456`, or `passkey` and an assertion over the challenge of `POST /v1/session/challenge`. `methods` lists what the person has.',
  },
  SECOND_FACTOR_INVALID: {
    title: 'The second factor is wrong',
    cause:
      'The code is wrong, expired or used before, or the passkey signed something else. Nothing was done; reason says which.',
    remedy:
      'Use the next code of the app, or sign a new challenge for exactly this request, on this session and for this company and environment. Ten wrong codes in a row lock codes for an hour.',
  },
  FACTOR_FROZEN: {
    title: 'Confirmations are paused after a reset',
    cause:
      "The person's second factor was reset less than 24 hours ago. Until until, operations that need a confirmation are refused.",
    remedy: 'Wait until then, or let another member do it. Owners were notified of the reset by e-mail.',
  },
  CSRF_REJECTED: {
    title: 'The request does not come from the dashboard',
    cause:
      "The request carries a session but not the proof that the dashboard's own page sent it: it is from another site, or lacks the header Service-CSRF.",
    remedy:
      "Send requests from the dashboard's origin, with the `csrfToken` of `GET /v1/session` as `Service-CSRF`. Programs use an API key instead.",
  },
  OWN_REQUEST: {
    title: 'Another person has to decide',
    cause: 'A request cannot be approved by the person who made it.',
    remedy: 'Ask another member whose role allows it.',
  },
  NOT_FOUND: {
    title: 'Not found',
    cause: 'There is no such object in this company and environment.',
    remedy:
      'Check the id, and that the key belongs to the environment in which the object was created. An object is found only among its own kind, a deposit not among charges; `GET /v1/transactions/{id}` finds payments of every kind. `resource` says what was looked for.',
  },
  ROUTE_NOT_FOUND: {
    title: 'No such path',
    cause: 'No operation has this path.',
    remedy: 'Compare it with the API reference. Paths begin with `/v1/` and have no slash at the end.',
  },
  METHOD_NOT_ALLOWED: {
    title: 'Method not allowed',
    cause: 'No operation on this path uses this HTTP method.',
    remedy: 'The `Allow` header lists the methods of the path.',
  },
  INVALID_STATE: {
    title: 'Not allowed in the current status',
    cause: 'The current status does not allow this operation.',
    remedy:
      '`currentStatus` is the status of the object, `allowedStatuses` lists those in which the operation is allowed. Read the object again before you decide; if no status is listed, wait until the operation under way has ended.',
  },
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    title: 'The same request is still running',
    cause: 'The first request with this Idempotency-Key has not finished yet.',
    remedy:
      'Send the same request again after `Retry-After` seconds: it then gets the answer of the first one.',
  },
  DISPUTE_OPEN: {
    title: 'A dispute is open',
    cause: 'The payment is being disputed; a refund now could pay the buyer twice.',
    remedy:
      'Wait for the outcome. `chargebackId` or `medId` names the dispute, and the event `payment.chargeback` or `pix.med_closed` announces its end.',
  },
  ATTEMPT_IN_PROGRESS: {
    title: 'An attempt is running',
    cause: 'An attempt to collect this invoice is still running, and its outcome is not known yet.',
    remedy:
      'Wait until the attempt named by `attemptId` has ended, which `subscription.paid` or `subscription.failed` announces, and try again then.',
  },
  INVOICE_OPEN: {
    title: 'An invoice of this period is unpaid',
    cause: 'The plan cannot change in the middle of a period whose invoice is unpaid.',
    remedy:
      'Have the invoice named by `invoiceId` paid first, or change the plan with `effective: "PERIOD_END"`.',
  },
  PLAN_IN_USE: {
    title: 'The plan is in use',
    cause: 'This field can no longer be changed, because the plan has or had subscriptions.',
    remedy:
      '`field` names it. Create another plan with the new terms and move subscriptions to it with change-plan.',
  },
  COUPON_IN_USE: {
    title: 'The coupon is in use',
    cause: 'This field can no longer be changed, because the coupon has been redeemed.',
    remedy: '`field` names it. Deactivate the coupon and create another one with the new terms.',
  },
  LINK_IN_USE: {
    title: 'The payment link is in use',
    cause: 'This field can no longer be changed, because a payer has opened the link to pay.',
    remedy: '`field` names it. Deactivate the link and create another one with the new terms.',
  },
  DEFENSE_WINDOW_CLOSED: {
    title: 'The deadline for a defense has passed',
    cause: 'The chargeback can no longer be contested.',
    remedy:
      'A defense has to arrive before `defenseDueAt`. The event `payment.chargeback` announces every chargeback when it is opened.',
  },
  DUPLICATE: {
    title: 'It already exists',
    cause: 'Another object already has a value that must be unique.',
    remedy: 'Use the object named by `existingId`, or choose another value.',
  },
  LAST_OWNER: {
    title: 'A company needs an owner',
    cause: 'A company always has an owner in Production. The change would leave it without one.',
    remedy: 'Make another member an owner first.',
  },
  CHANGE_PENDING: {
    title: 'A change is already pending',
    cause:
      'A change of the same setting is awaiting approval or the moment when it takes effect. existingId names it.',
    remedy: 'Approve or reject that one first.',
  },
  POSSIBLE_DUPLICATE: {
    title: 'This may be a repeat',
    cause: 'The same amount was sent to the same payee less than ten minutes ago.',
    remedy:
      'Look at the transfer or withdrawal that `existingId` names. To send it once more, set `allowDuplicate`.',
  },
  LINK_INVALID: {
    title: 'The link is no longer valid',
    cause: 'The link is unknown, was used, was replaced by a newer one, or has expired.',
    remedy:
      'Ask for a new one: links of invitations from the person who invited, links for a password from the sign-in page.',
  },
  PAYLOAD_TOO_LARGE: {
    title: 'The body is too large',
    cause: 'The body is larger than 64 KiB.',
    remedy: 'Send less. Long texts belong in your own system, with a reference to them in `metadata`.',
  },
  URI_TOO_LONG: {
    title: 'The URL is too long',
    cause: 'The URL is longer than 8 KiB.',
    remedy: 'Use fewer or shorter filters.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'The body must be application/json',
    cause: 'The body was not sent as application/json in UTF-8.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  UNSUPPORTED_ENCODING: {
    title: 'The body must not be encoded',
    cause: 'The body was sent compressed or in another content encoding.',
    remedy: 'Send it as it is, without `Content-Encoding`.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    title: 'The Idempotency-Key belongs to another request',
    cause:
      'This Idempotency-Key was used before with another method, path or body. This request did nothing.',
    remedy:
      'Use a new key for every new operation, and repeat a request exactly as it was when you retry it.',
  },
  REFERENCE_NOT_FOUND: {
    title: 'A referenced object does not exist',
    cause: 'An id in the body belongs to no object of this company and environment.',
    remedy:
      '`field` names it. Check the id, and that the object was created with a key of the same environment.',
  },
  REFUND_NOT_SUPPORTED: {
    title: 'This method cannot be refunded',
    cause: 'A payment by this method cannot be refunded through the API.',
    remedy: 'Return the money outside the API, for example by a transfer to the payer.',
  },
  NOT_OFFERED_BY_PROVIDER: {
    title: 'The provider does not offer this',
    cause: 'The bank or acquirer that is connected for this company cannot do this. Nothing was stored.',
    remedy:
      '`operation` names what is missing. Do without it, or ask the operator of the service for another provider.',
  },
  REFUND_EXCEEDS_BALANCE: {
    title: 'The amount exceeds what can be refunded',
    cause: 'The amount is more than what is left of the payment.',
    remedy: 'Ask for at most `refundableAmount`: earlier refunds and disputes have taken the rest.',
  },
  REFUND_WINDOW_EXPIRED: {
    title: 'The refund period has ended',
    cause: 'The period in which this payment can be refunded has ended.',
    remedy: `A PIX can be refunded for ${pixRefunds.days} days and a card payment for ${cardRefunds.days}. After that, return the money outside the API.`,
  },
  INSUFFICIENT_BALANCE: {
    title: 'The balance is too low',
    cause: 'The available balance is less than the refund.',
    remedy:
      'Wait for the next settlement, or add money with a deposit (`POST /v1/pix/deposits`), then send the same request again.',
  },
  CAPTURE_EXCEEDS_AUTHORIZED: {
    title: 'The amount exceeds the authorization',
    cause: 'The amount is more than what was authorized.',
    remedy: 'Capture at most `authorizedAmount`.',
  },
  CAPTURE_FAILED: {
    title: 'The acquirer refused the capture',
    cause: 'The acquirer refused the capture. The payment stays authorized.',
    remedy: 'Try again before the authorization expires, or cancel the payment.',
  },
  AMOUNT_MISMATCH: {
    title: 'The amount differs from the payable amount',
    cause: 'The amount of the simulated payment differs from the amount due.',
    remedy: 'Leave `amount` out, or send `payableAmount`.',
  },
  CUSTOMER_DOCUMENT_REQUIRED: {
    title: 'The customer has no document',
    cause: 'A boleto needs a payer with a CPF or CNPJ, and this customer has none.',
    remedy: 'Send `customer` with its `document`, or the `customerId` of a customer that has one.',
  },
  CUSTOMER_EMAIL_REQUIRED: {
    title: 'The customer has no e-mail address',
    cause: 'The charge was created for a customer without an e-mail address, so there is nobody to write to.',
    remedy:
      'Give the payer the code or the PDF yourself, or create the charge with a `customer` that has an `email`.',
  },
  QUOTE_EXPIRED: {
    title: 'The quote has expired',
    cause:
      'The price of a quote is held for 30 seconds and for one conversion, and this one has expired or was used.',
    remedy: 'Ask for a new quote, and convert with it right away.',
  },
  ADDRESS_INVALID: {
    title: 'Not an address of the network',
    cause:
      'The text is no address of that network: it has the wrong form, or its checksum says that a character of it was changed. Or nobody can spend what it gets: it is the zero address, one where coins are burnt, or the contract of a stablecoin.',
    remedy:
      'Copy the address again from where it is shown, and compare its network. What is sent to a wrong address is lost.',
  },
  PLAN_INACTIVE: {
    title: 'The plan is inactive',
    cause: 'The plan takes no new subscriptions; those that exist continue.',
    remedy: 'Use another plan, or activate this one with `PATCH /v1/plans/{id}` and `active: true`.',
  },
  RECIPIENT_INACTIVE: {
    title: 'The recipient is inactive',
    cause: 'A recipient of the split is inactive and is not included in new payments.',
    remedy: '`recipientId` names it. Activate the recipient, or use a split without it.',
  },
  SPLIT_RULE_INACTIVE: {
    title: 'The split rule is inactive',
    cause: 'The split rule is inactive and divides no new payments.',
    remedy: 'Activate the rule, or use another one.',
  },
  METHOD_NOT_ACCEPTED: {
    title: 'The plan does not accept this method',
    cause: 'The plan cannot be paid by this method.',
    remedy: 'Use one of `allowedMethods`.',
  },
  PIX_AUTOMATIC_UNAVAILABLE: {
    title: 'Pix Automático is not available',
    cause: 'The provider of your account offers no mandates, or none with the interval of the plan.',
    remedy:
      '`lacks` says which. Leave `pixAutomatic` out: the invoices are then paid by QR code. Mandates have intervals of one week, and of one, three, six or twelve months.',
  },
  SAME_PLAN: {
    title: 'The subscription already has this plan',
    cause: 'The subscription already has this plan, and no change is scheduled that could be undone.',
    remedy: 'There is nothing to do; name another plan if you meant another one.',
  },
  PASSWORD_WRONG: {
    title: 'The current password is wrong',
    cause: "The password that was sent as current is not the person's.",
    remedy: 'Send the current password, or sign out and ask for a link to set a new one.',
  },
  COUPON_INVALID: {
    title: 'The coupon cannot be redeemed',
    cause: 'The coupon cannot be redeemed.',
    remedy: '`reason` says why. `GET /v1/coupons/validate` tells you beforehand.',
  },
  SPLIT_EXCEEDS_AMOUNT: {
    title: 'The parts exceed the amount',
    cause: 'The fixed and percentage parts of the split add up to more than the amount.',
    remedy:
      'Use a rule that fits the amount. `POST /v1/split/simulate` shows how an amount would be divided.',
  },
  RETRY_LIMIT_REACHED: {
    title: 'Too many attempts with this card',
    cause: `The card was declined ${bounds.cardDeclinesMax} times within ${bounds.cardDeclinesWithinDays} days, after which card networks forbid further attempts.`,
    remedy: 'Ask the customer for another card, or collect the invoice by another method.',
  },
  EXPORT_TOO_LARGE: {
    title: 'The export has too many rows',
    cause: 'The export would have more rows than one export may have.',
    remedy: 'Narrow the period or the filters until at most `maxRows` are left, and export in parts.',
  },
  LIMIT_EXCEEDED: {
    title: 'A limit would be exceeded',
    cause: 'The limit for this day or night is used up, or less than this amount is left.',
    remedy:
      '`limit` says which limit it is, `remaining` what is left of it, and `resetsAt` when it resets; it is null for the limit per transfer. Send less, schedule it for another day, or request a higher limit.',
  },
  BENEFICIARY_COOLING_OFF: {
    title: 'The payee is new',
    cause:
      'Payees registered less than 24 hours ago, or not registered, have a reduced limit, which applies to all of them together in any 24 hours.',
    remedy:
      'Send at most what is left of `limit`, or wait until `availableAt`. Where it is null, register the payee as a beneficiary first.',
  },
  BENEFICIARY_INACTIVE: {
    title: 'The beneficiary was removed',
    cause: 'Nothing can be sent to this beneficiary any more.',
    remedy: 'Register the payee again.',
  },
  WALLET_NOT_ACTIVE: {
    title: 'Nothing can be sent to the wallet',
    cause:
      'Stablecoins go to wallets that were registered at least 24 hours ago and not removed: a withdrawal cannot be reversed.',
    remedy:
      '`currentStatus` says which it is. COOLING_OFF: send from `availableAt` on. INACTIVE: register the wallet again.',
  },
  LOOKUP_EXPIRED: {
    title: 'The look-up cannot be used',
    cause: 'A look-up of a PIX key is good for ten minutes, for the person who asked, and for one transfer.',
    remedy: 'Look the key up again.',
  },
  STATEMENT_REFUSED: {
    title: 'The statement is not of this connection and day',
    cause:
      'A file with a bank’s statement counts for one connection and day: it names the account of the connection, and its period has the day in it.',
    remedy: 'Export the statement of the right account with the day in it. `detail` says what does not fit.',
  },
  NOT_BORNE_OUT: {
    title: 'The bank’s statements do not bear it out',
    cause:
      'What became of a lost transfer is declared by what the bank’s statements show: the PIX under its id and with its amount, or no such PIX on any day on which the bank may have sent it.',
    remedy:
      'Upload the statement of the day that `date` names, or correct the id. `detail` says what is missing.',
  },
  PIX_KEY_NOT_FOUND: {
    title: 'PIX key not found',
    cause: 'This key is not registered in the directory of PIX keys.',
    remedy: 'Check the key with the payee. Look-ups without a result use up the quota twenty times as fast.',
  },
  RATE_LIMITED: {
    title: 'Too many requests',
    cause: 'The API key has sent more requests than its limit allows.',
    remedy:
      'Wait for `Retry-After` seconds. `policy` names the limit, and the `RateLimit` header of every answer says how many requests are left.',
  },
  TOO_MANY_ATTEMPTS: {
    title: 'Too many attempts',
    cause: 'There were too many failed attempts, and none is accepted for now. A passkey is never locked.',
    remedy: 'Wait as many seconds as `Retry-After` says.',
  },
  TOO_MANY_MAILS: {
    title: 'Too many mails',
    cause: 'This charge, or the charges of your company together, were sent too often. Nothing was sent.',
    remedy: 'Wait until `availableAt`: it can be sent again then.',
  },
  LOOKUP_QUOTA: {
    title: 'The quota of look-ups is used up',
    cause: 'Too many PIX keys were looked up without a payment to their owners.',
    remedy:
      'Wait `Retry-After` seconds: every minute gives 20 tokens back, and every payment one. `tokens` says how many are left.',
  },
  HEADERS_TOO_LARGE: {
    title: 'The headers are too large',
    cause: 'The headers are larger than 16 KiB in total.',
    remedy: 'Send fewer headers. Cookies and tracing baggage are the usual cause.',
  },
  INTERNAL_ERROR: {
    title: 'Internal error',
    cause: 'An error in the service itself, not in your request.',
    remedy:
      'Send the same request again with the same `Idempotency-Key`: what was done is not done twice. If it happens again, tell the operator of the service the `requestId`.',
  },
  SERVICE_UNAVAILABLE: {
    title: 'The service cannot answer now',
    cause: 'The service cannot answer right now: either nothing was done, or the outcome is not known yet.',
    remedy:
      'Send the same request again after `Retry-After` seconds, with the same `Idempotency-Key`: what was done is not done twice.',
  },
  HISTORY_UNAVAILABLE: {
    title: 'This part of the history cannot be read now',
    cause:
      'What this request is about is kept in the archive, which cannot be read at the moment. Nothing was done; everything newer works.',
    remedy:
      'Send the same request again later, with the same `Idempotency-Key`. If it goes on, tell the operator of the service the `requestId`: the disk of the archive is away or damaged.',
  },
  UPGRADE_UNFINISHED: {
    title: 'An upgrade of the service is not finished',
    cause:
      'The nodes of the service are being upgraded, and not all of them can read yet what this request would store. Nothing was done; everything else works.',
    remedy:
      'Send the same request again later, with the same `Idempotency-Key`. The operator of the service finishes the upgrade with `payments cluster finalize`.',
  },
  PROVIDER_NOT_CONNECTED: {
    title: 'No provider is connected',
    cause: 'No bank or acquirer is connected for this in Production. Nothing was stored.',
    remedy:
      '`rail` names what it would be needed for. The operator of the service has to connect a provider; in the Sandbox you can try everything without one.',
  },
  PROVIDER_UNAVAILABLE: {
    title: 'The provider does not answer',
    cause:
      'The bank or acquirer of this company answers nothing at the moment, so nothing new is begun with it. Nothing was stored.',
    remedy:
      'Send the same request again after `Retry-After`, with the same `Idempotency-Key`, or offer another way to pay. Refunds and everything else that is under way continue on their own.',
  },
  MAIL_NOT_SET_UP: {
    title: 'The service sends no mail',
    cause: 'The operator of the service has set no mail server. Nothing was sent.',
    remedy: 'Give the payer the code or the PDF yourself; the operator sets `MAIL_URL`.',
  },
  CHECKOUT_NOT_SET_UP: {
    title: 'The service has no payment pages',
    cause:
      'The operator of the service has set no address for the pages where payers pay. Nothing was created.',
    remedy: 'The operator sets `CHECKOUT_ORIGIN`, and `TOKENIZER_ORIGIN` for cards.',
  },
}
