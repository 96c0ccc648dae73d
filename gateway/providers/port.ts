/**
 * The port to banks and acquirers, on one page: what they are asked, what they say to it, and what they report unasked. An adapter is a
 * `ProviderModule` in a folder of its own and a line in `index.ts`; `test/gateway/providers/contract.ts` is what it has to pass.
 * Sections are those of the specification of rails.
 */
import type { TObject } from 'typebox'
import type { ConvertRequest, QuoteRequest, SendRequest } from '../../engine/crypto/chain-request.ts'
import type { ConversionFailure } from '../../engine/crypto/conversion.ts'
import type { Brand } from '../../engine/ledger/card-rates.ts'
import type { KeyOwner } from '../../engine/money-out/lookups/key-lookup.ts'
import type { MoneyOutFailure } from '../../engine/money-out/money-out.ts'
import type { BankPayee } from '../../engine/money-out/payees/payee.ts'
import type { AcquirerData } from '../../engine/payments/methods/card/card.ts'
import type { DeclineReason } from '../../engine/payments/methods/card/decline-codes.ts'
import type { ProviderRequest } from '../../engine/payments/provider.ts'
import type { StatementMovement } from '../../engine/reconciliation/statement.ts'
import type { Network, RateMicros } from '../../engine/shared/asset.ts'
import type { CalendarDate } from '../../engine/shared/calendar.ts'
import type { Customer } from '../../engine/shared/customer.ts'
import type { AccountId, Environment } from '../../engine/shared/ids.ts'
import type { Asset } from '../../engine/shared/method.ts'
import type { Cents } from '../../engine/shared/money.ts'
import type { Rail } from '../../engine/shared/rail.ts'
import type { OpenProviderHttp } from './http/http.ts'
import type { Notice, NoticeOutcome } from './notice.ts'

// ——— What a provider is asked (1.2) ———

/** One ask. Repeating it is the driver's business (`repeat.ts`): an adapter sends what it is given, once. */
export type ProviderAsk =
  // PIX (2, API Pix) and boletos (6).
  | Asking<'REGISTER', PixCharge | BoletoCharge>
  | Asking<'CANCEL', Registered>
  /** What became of a charge: asked before it counts as expired (2.4). */
  | Asking<'READ_CHARGE', Registered>
  /** PIX that came in and is not kept: late, twice, or another amount (2.3). The amount of the ask goes back. */
  | Asking<'RETURN', PixReturn>
  /** A refund to the payer, in whole or in part: by PIX (2.1) or to a card (5.3). */
  | Asking<'REFUND', PixReturn | CardRefund>
  // Cards (5.1 and 10.4). The amount of the ask is that of the sale, and of a capture what is captured.
  | Asking<'VERIFY', CardInHand>
  | Asking<'PRE_AUTHENTICATE', CardInHand>
  | Asking<'AUTHENTICATE', AuthenticationStep>
  | Asking<'POST_AUTHENTICATE', AuthenticationStep>
  /** The first use of a card that is charged again without its holder. */
  | Asking<'SETUP_MANDATE', CardInHand>
  | Asking<'AUTHORIZE', CardSale>
  | Asking<'CAPTURE', Sale>
  | Asking<'VOID', Sale>
  /** Takes back what came of an authorization whose outcome is unknown. */
  | Asking<'REVERSE', Sale>
  // Disputes: chargebacks (5.5) and MED (2.9, R10).
  | Asking<'DEFEND_CHARGEBACK' | 'ACCEPT_CHARGEBACK' | 'DEFEND_MED' | 'CONTEST_MED', DisputeStep>
  // Money out and the directory of PIX keys (2.8).
  | Asking<'PAY_OUT', PayOut>
  | Asking<'LOOKUP_KEY', { readonly pixKey: string }>
  // Pix Automático (4, R3 to R9).
  | Asking<'MANDATE_CREATE', NewMandate>
  | Asking<'MANDATE_CANCEL', { readonly mandateId: string }>
  | Asking<'SCHEDULE', MandateCharge>
  | Asking<'RESCHEDULE' | 'UNSCHEDULE', { readonly txid: string; readonly dueDate: CalendarDate }>
  // Stablecoins (dashboard, section 3).
  | Asking<'OPEN_ADDRESS', NonNullable<ProviderRequest['crypto']>>
  | Asking<'QUOTE', Pick<QuoteRequest, 'fromCurrency' | 'toCurrency' | 'midRateMicros'>>
  | Asking<
      'CONVERT',
      Pick<ConvertRequest, 'fromCurrency' | 'toCurrency' | 'fromCents' | 'toCents' | 'rateMicros'>
    >
  | Asking<'SEND', Pick<SendRequest, 'asset' | 'network' | 'units' | 'address'>>

export type AskedOperation = ProviderAsk['operation']

type Asking<Name extends string, Data> = {
  readonly operation: Name
  readonly rail: Rail
  /** Ours: the intent that is in the journal. */
  readonly callId: string
  /** Made from the call's id, and the same whenever it is asked (`references.ts`): by it the provider knows a repeat. */
  readonly reference: string
  /** How often it may have been sent before. */
  readonly asked: number
  readonly connectionId: string
  readonly accountId: AccountId
  /** Zero where no money moves. */
  readonly amountCents: Cents
  /** Environment time when the call was opened, and of this ask. */
  readonly openedAtMs: number
  readonly nowMs: number
  /** How long the outcome is waited for. An adapter ends its exchange by then. */
  readonly answerWithinMs: number
  /** What the Sandbox's providers are to play; null in Production, whose providers see no metadata at all. */
  readonly scenario: string | null
  readonly data: Data
}

/** `PUT /cob/{txid}`, or `PUT /cobv/{txid}` with a due date (2.1, 2.2). */
export type PixCharge = {
  readonly rail: 'PIX'
  readonly pixKey: string
  readonly expiresInSeconds: number
  readonly due: { readonly date: CalendarDate; readonly payableForDays: number } | null
  readonly customer: Customer | null
  readonly description: string | null
  /** The merchant's own, the only thing of theirs that payers see besides the description. */
  readonly merchantReference: string | null
}

/** A boleto with the number that is ours to give (6, R25 to R32). */
export type BoletoCharge = {
  readonly rail: 'BOLETO'
  readonly ourNumber: string
  readonly dueDate: CalendarDate
  /** After this many days a bank takes no payment any more. */
  readonly payableForDays: number
  readonly customer: Customer
  readonly monthlyInterestBps: number
  readonly fineBps: number
  readonly discountCents: Cents
  readonly withPix: boolean
}

/** A charge that the provider knows: a PIX by its txid, a boleto by its number. */
export type Registered = { readonly reference: string; readonly registeredAtMs: number }

/** `PUT /pix/{e2eid}/devolucao/{id}` (2.1). */
export type PixReturn = {
  readonly rail: 'PIX'
  readonly endToEndId: string
  readonly description: string | null
}

/** A card by the acquirer's token, with its holder. */
export type CardInHand = {
  readonly card: {
    readonly token: string
    readonly brand: Brand
    readonly last4: string
    readonly holderName: string | null
  }
  readonly customer: Customer | null
}

/** What the page of the payer brought back from the card's bank (R19), for the next step. */
export type AuthenticationStep = CardInHand & {
  readonly authenticationId: string
  readonly result: string | null
}

/** Strong customer authentication as networks carry it (EMV 3-D Secure). */
export type Authentication = {
  readonly eci: string
  readonly cavv: string | null
  readonly xid: string | null
  readonly version: string
  readonly referenceId: string | null
}

/** `POST /1/sales/` (5.1). */
export type CardSale = CardInHand & {
  readonly installments: number
  /** Whether authorizing also captures. */
  readonly captures: boolean
  /** Which attempt of a subscription's invoice it is, from 1; null for a charge of its own. */
  readonly attempt: number | null
  /** Why it is made without the holder (10.4, P6); null while they are there. */
  readonly merchantInitiated: 'RECURRING' | 'UNSCHEDULED' | 'INSTALMENT' | 'RESUBMISSION' | null
  /** The network's id of the first sale by this card (R16). */
  readonly networkReference: string | null
  readonly authentication: Authentication | null
  /** Whether less than the amount would do (10.4, P7). */
  readonly acceptsPart: boolean
}

/** A sale by the reference of the ask that authorized it, and by the acquirer's own id once it gave one. */
export type Sale = { readonly saleReference: string; readonly tid: string | null }

/** What was refunded before tells whether this refund was done where an acquirer knows none by a reference (5.3). */
export type CardRefund = Sale & { readonly rail: 'CARD'; readonly refundedBeforeCents: Cents }

/** A step in a dispute, whose id is the provider's. */
export type DisputeStep = { readonly disputeId: string; readonly text: string }

/** Reais to a PIX key or a bank account (2.8). */
export type PayOut = {
  /** Null leaves the way to the bank. */
  readonly by: 'PIX' | 'TED' | null
  readonly payee: PayOutPayee
  /** Our id for a PIX: a bank that makes its own says so in its evidence. */
  readonly endToEndId: string | null
  /** The bank's own number of it, as its evidence gave it; null where none has, or not yet. */
  readonly bankNumber: string | null
  readonly description: string | null
}
export type PayOutPayee = Pick<
  BankPayee,
  'name' | 'document' | 'pixKey' | 'ispb' | 'bankCode' | 'branch' | 'account'
>

/** `POST /rec` (4). A fixed amount, or the least that a charge may be: one of them (R6). */
export type NewMandate = {
  readonly journey: 'NOTIFICATION' | 'QR' | 'QR_WITH_PAYMENT' | 'OPTIONAL'
  readonly contract: string
  readonly object: string
  readonly customer: Customer
  readonly periodicity: 'SEMANAL' | 'MENSAL' | 'TRIMESTRAL' | 'SEMESTRAL' | 'ANUAL'
  readonly startOn: CalendarDate
  readonly endOn: CalendarDate | null
  readonly fixedCents: Cents | null
  readonly minCents: Cents | null
  readonly allowsRetries: boolean
  /** The charge that its QR code also pays. */
  readonly txid: string | null
  /** The payer's account, whose bank asks them to confirm: with journey `NOTIFICATION` alone. */
  readonly payerAccount?: {
    readonly ispb: string
    readonly branch: string | null
    readonly account: string
  } | null
}

/** `PUT /cobr/{txid}` (4, R3, R4). */
export type MandateCharge = {
  readonly mandateId: string
  readonly dueDate: CalendarDate
  readonly customer: Customer
  readonly description: string | null
}

// ——— What a provider says to it (1.2, 10.4) ———

export type ProviderOutcome =
  /** It is done. The echo is compared with the ask before it is shown (`echo.ts`). */
  | { readonly type: 'DONE'; readonly echo: Echo; readonly evidence: Evidence | null }
  /** Less than the amount is authorized (P7). */
  | { readonly type: 'PARTIAL'; readonly echo: Echo; readonly evidence: Evidence }
  /** Nothing was done, and nothing will be: only where the provider says so. */
  | { readonly type: 'REFUSED'; readonly refusal: Refusal }
  /** It was done, and the provider took it back by itself (P9, P14): in the end nothing is done. */
  | {
      readonly type: 'UNDONE'
      readonly how: 'VOIDED' | 'AUTO_REFUNDED' | 'RETURNED'
      readonly message: string
    }
  /** Received, and not decided: by a person at the provider, even (P10). */
  | { readonly type: 'PENDING'; readonly againInMs: number | null; readonly evidence: Evidence | null }
  /** No outcome, or one that cannot be read. It says nothing of what was done. */
  | {
      readonly type: 'SILENT'
      /** The provider cannot be asked about it any more: no later answer will come. */
      readonly isLost?: true
      /** Nothing was asked: it says nothing of whether the provider answers. */
      readonly isUnasked?: true
      /** It was taken before, under this number of the bank's own (`Evidence`). */
      readonly bankNumber?: string
    }

/** The outcome of an inquiry: the provider knows nothing by this reference, or what became of it. */
export type InquiryOutcome = ProviderOutcome | { readonly type: 'NOT_FOUND' }

/** What the provider says that it did; null where it does not say. */
export type Echo = {
  readonly reference: string | null
  readonly amountCents: Cents | null
  /** The PIX key of a charge, or the document of who is paid. */
  readonly payee: string | null
}

/** What comes with it, by kind. */
export type Evidence =
  | ({ readonly kind: 'CARD'; readonly networkReference: string | null } & AcquirerData)
  | {
      readonly kind: 'PIX_CHARGE'
      /** Null where it is built from the location. */
      readonly copyPaste: string | null
      readonly location: string
      readonly createdAtMs: number
    }
  /** The outcome of CANCEL and READ_CHARGE: a charge that cannot be cancelled because it is paid says so with its payments. */
  | {
      readonly kind: 'CHARGE_STATE'
      readonly status: ChargeStatus
      readonly payments: readonly PixReceived[]
    }
  | { readonly kind: 'BOLETO'; readonly digitableLine: string; readonly copyPaste: string | null }
  | {
      readonly kind: 'PIX'
      readonly endToEndId: string | null
      readonly returnId: string | null
      /** What the bank took for it; absent where it does not say. */
      readonly tariffCents?: Cents
      /** A number of the bank's own, where it is asked by that: it is kept, and is in each later ask (`PayOut`). */
      readonly bankNumber?: string
    }
  | { readonly kind: 'KEY'; readonly owner: KeyOwner }
  /** A mandate of Pix Automático by its `idRec`, or of a card by the provider's and the network's references (P5). */
  | {
      readonly kind: 'MANDATE'
      readonly mandateId: string | null
      readonly networkReference: string | null
      readonly copyPaste: string | null
    }
  | {
      readonly kind: 'AUTHENTICATION'
      readonly authenticationId: string
      /** What the payer's page has to open; null when nothing is left to do. */
      readonly challengeUrl: string | null
      readonly authentication: Authentication | null
    }
  | { readonly kind: 'ADDRESS'; readonly address: string; readonly uri: string }
  | {
      readonly kind: 'QUOTE'
      readonly midRateMicros: RateMicros
      readonly rateMicros: RateMicros
      readonly spreadBps: number
      readonly taxCents: Cents
    }
  | { readonly kind: 'CHAIN'; readonly txHash: string }

/** The state of a charge at the bank (2.3). An `ACTIVE` one may have expired: banks do not say. */
export type ChargeStatus = 'ACTIVE' | 'PAID' | 'REMOVED_BY_RECEIVER' | 'REMOVED_BY_PROVIDER'

/** A refusal in three layers: ours, the network's, the provider's (10.4, P1 and P2). What may follow is data of each adapter. */
export type Refusal = {
  readonly reason: RefusalReason
  readonly message: string
  /** Codes of the card's network and bank (ABECS, MAC), or of the payment system (ISO 20022). */
  readonly network: { readonly code: string | null; readonly advice: string | null } | null
  readonly provider: { readonly code: string | null; readonly message: string | null } | null
  /** Where the same may be tried later: with this provider, with another one, or nowhere. */
  readonly retryOn: 'SAME' | 'OTHER' | 'NONE'
  /** Whether authenticating the holder may help. */
  readonly stepUp: boolean
  /** The numbers of the refused attempt. */
  readonly attempt: { readonly nsu: string | null; readonly tid: string | null } | null
}

export type RefusalReason =
  | DeclineReason
  | 'ANTIFRAUD_DECLINED'
  | 'REGISTRATION_REJECTED'
  | 'KEY_NOT_FOUND'
  | MoneyOutFailure
  | ConversionFailure
  /** Another reason, which the message says. */
  | 'PROVIDER_ERROR'

// ——— An adapter, and one connection of it (1.2, 1.4 to 1.6) ———

/** A bank, PSP or acquirer. */
export type ProviderModule = {
  /** The name that charges store and `providerId` shows: lower-case letters, digits and hyphens. It never changes. */
  readonly name: string
  /** The name for people. */
  readonly label: string
  /** The first eight characters of the CNPJ of its institution, which fiscal documents name; absent where there is none. */
  readonly institution?: string
  /** Its number among Brazilian banks (COMPE); absent where it has none. */
  readonly clearingCode?: number
  readonly rails: readonly Rail[]
  /** What a connection needs to know. Fields with `secret: true` are sealed, and never shown. */
  readonly settings: TObject
  /** The operations that it has, and how each may be repeated. Any other is refused before something is stored. */
  readonly repeat: Readonly<Partial<Record<AskedOperation, Repeat>>>
  readonly capabilities: ProviderCapabilities
  /** Null where asking costs nothing and cannot hang, as in the Sandbox. */
  readonly limits: ProviderLimits | null
  readonly open: (connection: ProviderConnection, io: ProviderIo) => ProviderInstance
}

/**
 * How an ask may be repeated whose outcome is unknown. `SAFE`: it is keyed by our reference, so the same bytes go again. `INQUIRE_FIRST`:
 * again only after the provider knew nothing of it twice. `NEVER`: it is inquired after, and in the end reversed.
 */
export type Repeat = 'SAFE' | 'INQUIRE_FIRST' | 'NEVER'

/** What adapters of one rail differ in. */
export type ProviderCapabilities = {
  /** How reais leave (2.8). */
  readonly payOutBy?: readonly NonNullable<PayOut['by']>[]
  /** How a second sale under one reference is met (10.4, P13). */
  readonly duplicateSales?: 'REFUSED' | 'SAME_SALE' | 'TAKEN'
  /** What a sale takes beside one capture of what was authorized (10.4, P8): several, later than usual, of more than was authorized. */
  readonly captures?: readonly ('SEVERAL' | 'EXTENDED' | 'INCREMENTAL')[]
  /** Whether the page of a payer gets tokens of its own, so that it needs no code for the provider (10.4, P15). */
  readonly clientTokens?: boolean
  /** Whether MED are reported when they are opened, and not only when they are over (2.9). */
  readonly medFeed?: boolean
}

/** Published limits (1.4), of each connection. */
export type ProviderLimits = {
  readonly inFlightMax: number
  readonly waitingMax: number
  /** Token buckets, each of its operations. */
  readonly rates: readonly {
    readonly operations: readonly AskedOperation[]
    readonly capacity: number
    readonly perMinute: number
  }[]
}

/** Who is connected, and how (1.5). */
export type ProviderConnection = {
  readonly id: string
  readonly environment: Environment
  /** As the module's schema says, opened. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** What an adapter gets from the service. */
export type ProviderIo = {
  readonly realNow: () => number
  /** Calls back after so many milliseconds, unless the returned function is called first. */
  readonly timeout: (ms: number, callback: () => void) => () => void
  readonly openHttp: OpenProviderHttp
  readonly onFault: (error: unknown) => void
}

/** One connection at work. Nothing of it rejects: what went wrong is `SILENT`. */
export type ProviderInstance = {
  readonly ask: (ask: ProviderAsk) => Promise<ProviderOutcome>
  /** What became of this ask, without doing anything. */
  readonly inquire: (ask: ProviderAsk) => Promise<InquiryOutcome>
  /** Reads what came to the address of this connection (1.3, 10.4 P12): whose it is, the address has said. */
  readonly readNotice?: (raw: RawNotice) => readonly RailNotice[]
  /** The object that a notice names, as the provider has it now: money is booked by it, and never by the notice (1.3). */
  readonly fetch?: (notice: RailNotice) => Promise<Fetched>
  /** Registers our address for notices where it is not yet, or no longer (2.1); says whether it stands. Checked daily. */
  readonly registerHooks?: (address: string) => Promise<ProviderHealth>
  /** What happened after the cursor, for those that were never reported (2.7). */
  readonly poll?: (
    cursor: string | null,
    untilMs: number,
  ) => AsyncIterable<{ readonly notices: readonly RailNotice[]; readonly cursor: string }>
  /**
   * Every PIX that came in within a window of the provider's time, both ends included, whole: the bank's book of a day (2.7). Null where it is silent, or
   * what it lists does not stand still.
   */
  readonly received?: (window: {
    readonly fromMs: number
    readonly untilMs: number
  }) => Promise<readonly PixReceived[] | null>
  /**
   * The bank's own statement of a day: all that moved in the account. There where the connection may read it. Null where the bank is silent, or has it
   * not yet.
   */
  readonly statement?: (day: DayAtBank) => Promise<readonly StatementMovement[] | null>
  /** Banks that speak by files (6, CNAB 240). */
  readonly files?: {
    readonly read: (bytes: Uint8Array) => readonly RailNotice[]
    readonly write: (asks: readonly ProviderAsk[], sequence: number) => Uint8Array
  }
  /**
   * Starts to pass on what it reports within this process, until the returned function is called. Every worker listens; a notice that
   * arrives twice is recorded once.
   */
  readonly listen?: (hear: (notice: Notice) => Promise<NoticeOutcome>) => () => void
  /** The newest prices of a chain provider, which may be asked for at any time. */
  readonly prices?: {
    /** In the middle between buying and selling; null while there is none. */
    readonly midRateMicros: (asset: Asset) => RateMicros | null
    /** The network's fee for sending, in millionths of the asset. */
    readonly networkFeeUnits: (network: Network) => Cents | null
  }
  /** A token with which the page of a payer speaks to the provider; null where it gives none. There where `clientTokens` says so. */
  readonly clientToken?: () => Promise<{ readonly token: string; readonly endsAtMs: number } | null>
  /** What lies in the account there and can be sent; null where the provider does not say. It decides nothing: it is for people and alerts. */
  readonly balance?: () => Promise<Cents | null>
  readonly health: () => Promise<ProviderHealth>
  readonly close: () => void
}

/** A day of a statement, in the zone of the company. */
export type DayAtBank = { readonly date: CalendarDate; readonly fromMs: number; readonly toMs: number }

/** Whether a connection works (1.6). */
export type ProviderHealth = {
  readonly works: boolean
  readonly detail: string | null
  /** When its certificate ends; null where it has none. */
  readonly certificateEndsAtMs: number | null
}

// ——— What a provider reports unasked (1.3) ———

/** A call to the address of a connection, as it came. */
export type RawNotice = {
  readonly headers: Readonly<Record<string, string>>
  readonly path: string
  readonly body: Uint8Array
  readonly peerCertificate: Uint8Array | null
}

/**
 * A hint: before money is booked, the object that it names is fetched. It counts once for each connection, kind and key, and one for a
 * state that is over is dropped.
 */
export type RailNotice =
  | Noticed<
      'PIX_IN',
      { readonly endToEndId: string; readonly txid: string | null; readonly amountCents: Cents }
    >
  | Noticed<'PIX_RETURN', { readonly endToEndId: string; readonly returnId: string; readonly state: string }>
  | Noticed<'MED', { readonly medId: string; readonly endToEndId: string; readonly state: string }>
  | Noticed<
      'BOLETO_STATE',
      { readonly ourNumber: string; readonly state: string; readonly amountCents: Cents | null }
    >
  /** A sale changed: `UNDONE` when the acquirer voided or refunded it by itself (P9). */
  | Noticed<'CARD_STATE', { readonly tid: string; readonly state: string }>
  | Noticed<'CHARGEBACK', { readonly disputeId: string; readonly tid: string; readonly stage: DisputeStage }>
  /** `RETURNED` when money that had left came back (R11). */
  | Noticed<'PAYOUT_STATE', { readonly reference: string; readonly state: string }>
  | Noticed<'MANDATE', { readonly mandateId: string; readonly state: string; readonly code: string | null }>
  | Noticed<'MANDATE_CHARGE', { readonly txid: string; readonly state: string; readonly code: string | null }>
  /** A row of a statement: what was settled, when, and for which fee (5.5, G8). */
  | Noticed<
      'SETTLED',
      {
        readonly tid: string
        readonly installment: number
        readonly netCents: Cents
        readonly feeCents: Cents
      }
    >

/** What became of fetching an object. `SILENT` says nothing: it is fetched again. */
export type Fetched =
  | { readonly type: 'FOUND'; readonly object: RailObject }
  | { readonly type: 'NOT_FOUND' }
  | { readonly type: 'SILENT' }

/** An object at the provider, whole. */
export type RailObject =
  | ({ readonly kind: 'PIX' } & PixReceived)
  | ({ readonly kind: 'MED' } & MedAtBank)
  | ({ readonly kind: 'PAYOUT' } & PayOutAtBank)
  | ({ readonly kind: 'MANDATE' } & MandateAtBank)
  | ({ readonly kind: 'MANDATE_CHARGE' } & MandateChargeAtBank)

/** A PIX that came in, with all its returns (`GET /pix/{e2eid}`, 2.3). */
export type PixReceived = {
  readonly endToEndId: string
  /** Null for a PIX to the key, without a charge. */
  readonly txid: string | null
  readonly pixKey: string | null
  readonly amountCents: Cents
  /** Original, interest, fine, discount and rebate together where the bank splits the amount; null where it does not. */
  readonly componentsCents: Cents | null
  readonly paidAtMs: number
  /** What was withheld as tax of what the payer paid, and is not in the amount; missing where the provider says nothing of it. */
  readonly taxWithheldCents?: Cents
  /** What the bank took for it; missing where the bank does not say. */
  readonly tariffCents?: Cents
  /** Most banks do not say. */
  readonly payer: { readonly name: string; readonly document: string | null } | null
  readonly returns: readonly PixReturnAtBank[]
}

/** Money that went back, or is on its way (`devolucao`). */
export type PixReturnAtBank = {
  /** Ours where we asked for it. */
  readonly id: string
  /** The end-to-end id of the return; null until there is one. */
  readonly returnId: string | null
  readonly amountCents: Cents
  readonly status: 'PROCESSING' | 'DONE' | 'NOT_DONE'
  readonly nature: 'ORIGINAL' | 'WITHDRAWAL' | 'MED_FRAUD' | 'MED_OPERATIONAL' | 'MED_PIX_AUTOMATICO'
  readonly askedAtMs: number
  readonly doneAtMs: number | null
  readonly reason: string | null
}

/** An infraction report (2.9, R10). */
export type MedAtBank = {
  readonly medId: string
  readonly endToEndId: string
  readonly state: 'OPEN' | 'IN_DEFENCE' | 'ACCEPTED' | 'REJECTED' | 'CANCELLED'
  readonly amountCents: Cents
  readonly reason: string | null
  readonly openedAtMs: number
  readonly analysisDueAtMs: number | null
  /** When it was decided; null before, and where the provider does not say. */
  readonly closedAtMs: number | null
  /** Whether money went back, or is to, for one that was accepted a while ago; null where that is not known yet. */
  readonly hasReturn: boolean | null
}

/** Money that left (2.8). `RETURNED` when it came back after it had arrived (R11). */
export type PayOutAtBank = {
  readonly reference: string
  readonly state: 'PROCESSING' | 'DONE' | 'REFUSED' | 'RETURNED'
  readonly endToEndId: string | null
  readonly reason: string | null
  readonly amountCents: Cents
  /** What came back of it, by the bank's ids: a part leaves it `DONE`. */
  readonly returns: readonly {
    readonly id: string
    readonly amountCents: Cents
    /** Null where it does not say. */
    readonly atMs: number | null
  }[]
}

/** A mandate of Pix Automático (`rec`, 4). */
export type MandateAtBank = {
  readonly mandateId: string
  readonly state: 'CREATED' | 'ACTIVE' | 'REJECTED' | 'EXPIRED' | 'CANCELLED'
  /** The bank's code of a rejection or cancellation. */
  readonly code: string | null
  readonly closedBy: 'PAYER' | 'RECEIVER' | null
}

/** A charge by a mandate (`cobr`, 4 and R9). */
export type MandateChargeAtBank = {
  readonly txid: string
  readonly state: 'CREATED' | 'ACTIVE' | 'PAID' | 'EXPIRED' | 'REJECTED' | 'CANCELLED'
  readonly attempts: readonly {
    readonly endToEndId: string | null
    readonly state: 'REQUESTED' | 'SCHEDULED' | 'PAID' | 'CANCELLED' | 'REJECTED' | 'EXPIRED'
    readonly dueDate: CalendarDate
    readonly code: string | null
  }[]
  readonly payments: readonly PixReceived[]
}

type DisputeStage = 'PRE_DISPUTE' | 'ACTIVE' | 'PRE_ARBITRATION'

type Noticed<Kind extends string, Data> = {
  readonly kind: Kind
  readonly key: string
  readonly atMs: number
  readonly data: Data
}
