import type { TlsIdentity } from '../certificates.ts'
import type { RailClock } from '../clock.ts'
import { dayOf, instant } from '../days.ts'
import { toValor } from '../money.ts'
import { type BankBook, openBook } from './book.ts'
import { readBrCode } from './br-code.ts'
import { type BankCharges, openCharges } from './charges.ts'
import { type BankContext, openIds, type Receiver } from './context.ts'
import type { RailContract } from './contract/validator.ts'
import { openFaults, type RailFaults } from './faults.ts'
import { type MandateCharges, openMandateCharges } from './mandate-charges.ts'
import { type BankMandates, openMandates } from './mandates.ts'
import { type BankMeds, openMeds } from './med.ts'
import { type BankPayments, type BankPix, openPayments, type Payment } from './payments.ts'
import type { SimulatedProfile } from './profiles/profile.ts'
import { type BankSends, noticeOfSent, openSends } from './sends.ts'
import { openWebhooks, type Webhooks } from './webhooks.ts'

/** A bank with one account, all its parts, and its books. */
export type SimulatedBank = {
  readonly context: BankContext
  readonly book: BankBook
  readonly charges: BankCharges
  readonly payments: BankPayments
  readonly mandates: BankMandates
  readonly mandateCharges: MandateCharges
  readonly meds: BankMeds
  readonly sends: BankSends
  readonly webhooks: Webhooks
  readonly faults: RailFaults
  readonly reports: BankReports
  /** A payer pays; a code that offers a mandate is authorized with it unless the payer does not want to. */
  readonly pay: (
    payment: Payment & { readonly authorizes?: boolean; readonly maximo?: string },
  ) => BankPix | null
  /** Sends the callback of a PIX, of a return, or of a PIX sent once more. */
  readonly resend: (endToEndIds: readonly string[]) => void
  /** What was against the contract, in the order in which it was seen. */
  readonly violations: () => readonly RailViolation[]
  readonly onViolation: (what: string, of: unknown) => void
}

export type RailViolation = { readonly what: string; readonly of: unknown }

export type BankOptions = {
  readonly clock: RailClock
  readonly profile: SimulatedProfile
  readonly receiver: Receiver
  readonly openingCents: number
  readonly identity: TlsIdentity
  readonly foreign: TlsIdentity
  readonly trusted: readonly string[]
  readonly contract: RailContract
  /** Hears of each violation at once. */
  readonly report?: (violation: RailViolation) => void
}

/** Opens a bank; its interface is `server.ts`, and what tests do to it `control.ts`. */
export const openBank = (options: BankOptions): SimulatedBank => {
  const { clock, profile, receiver } = options
  const context: BankContext = { clock, profile, receiver, newId: openIds(clock) }
  const book = openBook(options.openingCents)
  const faults = openFaults()
  const violations: RailViolation[] = []
  const onViolation = (what: string, of: unknown) => {
    violations.push({ what, of })
    options.report?.({ what, of })
  }
  const webhooks = openWebhooks(context, { ...options, faults, onViolation })

  const noticeOf = (pix: BankPix): any => {
    const { payer } = pix
    const { gnExtras, ...shown } = payments.show(pix)
    return {
      ...shown,
      ...(profile.callback.showsPayer
        ? {
            gnExtras: {
              ...gnExtras,
              pagador: {
                nome: payer.nome,
                ...(payer.cpf === undefined ? { cnpj: payer.cnpj } : { cpf: masked(payer.cpf) }),
                codigoBanco: payer.ispb,
              },
            },
          }
        : {}),
    }
  }
  // Callbacks are about PIX with a txid alone: others are found by asking.
  const reportPix = (pix: BankPix): void => {
    if (pix.txid !== null) webhooks.notify('pix', pix.chave, noticeOf(pix))
  }

  const charges = openCharges(context, (txid) => mandateCharges.find(txid) !== undefined)
  const payments = openPayments(context, { book, charges, onChange: reportPix })
  const mandates: BankMandates = openMandates(context, {
    charges,
    onChange: ({ idRec, status, history, end, journey }) =>
      webhooks.notify('rec', null, {
        idRec,
        status,
        atualizacao: history,
        ...(end === null ? {} : { encerramento: end }),
        ativacao: { tipoJornada: journey },
      }),
    onEnd: (mandate) => mandateCharges.endAll(mandate),
  })
  const mandateCharges: MandateCharges = openMandateCharges(context, {
    mandates: () => mandates,
    payments,
    isTaken: (txid) => charges.find(txid) !== undefined,
    onChange: (charge) => {
      const { idRec, txid, status, atualizacao, tentativas, encerramento, pix } = mandateCharges.show(charge)
      webhooks.notify('cobr', null, {
        idRec,
        txid,
        status,
        atualizacao,
        tentativas,
        ...(encerramento === undefined ? {} : { encerramento }),
        ...(pix === undefined ? {} : { pix }),
      })
    },
  })
  const sends = openSends(context, {
    book,
    onChange: (sent) => {
      if (profile.sends === 'EFI')
        webhooks.notify('pix', sent.body.pagador.chave, noticeOfSent(sent, clock.nowMs()))
    },
  })
  const meds = openMeds(context, { book, payments })

  const pay: SimulatedBank['pay'] = ({ authorizes = true, maximo, ...payment }) => {
    const read = payment.code === undefined ? null : readBrCode(payment.code)
    const mandate =
      read?.recurrenceLocation === undefined ? undefined : mandates.findByLocation(read.recurrenceLocation)
    if (read?.recurrenceLocation !== undefined && mandate === undefined)
      throw new Error(`no mandate is at ${read.recurrenceLocation}`)
    const hasPayment = read === null || read.location !== undefined || read.chave !== undefined
    const pix = hasPayment ? payments.pay(payment) : null
    if (mandate === undefined || !authorizes) return pix
    const isDue = pix?.txid != null && charges.find(pix.txid)?.kind === 'cobv'
    mandates.answer(
      mandate.idRec,
      {
        does: 'accept',
        ...(payment.payer === undefined ? {} : { payer: payment.payer }),
        ...(maximo === undefined ? {} : { maximo }),
      },
      pix === null ? 'QR' : isDue ? 'DUE_PAYMENT' : 'PAYMENT',
    )
    return pix
  }

  return {
    context,
    book,
    charges,
    payments,
    mandates,
    mandateCharges,
    meds,
    sends,
    webhooks,
    faults,
    reports: openReports(context, book),
    pay,
    resend: (endToEndIds) => {
      for (const endToEndId of endToEndIds) {
        const pix = payments.find(endToEndId)
        if (pix !== undefined) reportPix(pix)
        const sent = sends.findBy((of) => of.endToEndId === endToEndId)
        if (sent !== undefined)
          webhooks.notify('pix', sent.body.pagador.chave, noticeOfSent(sent, clock.nowMs()))
      }
    },
    violations: () => [...violations],
    onViolation,
  }
}

const masked = (cpf: string): string => `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`

/** Statements that are asked for and fetched later, as Efí's are. */
export type BankReports = {
  readonly ask: (
    day: string,
    kinds: Readonly<Record<string, boolean>>,
  ) => { readonly id: string; readonly askedMs: number }
  /** Undefined if it was not asked for; null while it is being written. */
  readonly fetch: (id: string) => { readonly askedMs: number; readonly text: string | null } | undefined
}

const openReports = ({ clock, newId, receiver }: BankContext, book: BankBook): BankReports => {
  const reports = new Map<string, { askedMs: number; text: string | null }>()
  return {
    ask: (day, kinds) => {
      const id = newId.uuid()
      const report = { askedMs: clock.nowMs(), text: null as string | null }
      reports.set(id, report)
      clock.at(clock.nowMs() + 1000, () => {
        const statement = book.statement(day)
        const rows = statement.movements
          .filter(({ kind }) => kinds[kindAtEfi[kind]] === true)
          .map(({ kind, endToEndId, txid, returnId, cents, atMs }) =>
            [
              'D',
              kindAtEfi[kind],
              endToEndId,
              txid ?? '',
              returnId ?? '',
              cents < 0 ? 'D' : 'C',
              toValor(Math.abs(cents)),
              instant(atMs),
            ].join(';'),
          )
        report.text = [
          `CA;Efi;364;${receiver.agencia};${receiver.conta};${receiver.nome};${dayOf(clock.nowMs())};${day};Extrato de Conciliação API Pix;1.0`,
          ...rows,
          `T;${rows.length};${statement.openingCents};${statement.closingCents}`,
        ].join('\n')
      })
      return { id, askedMs: report.askedMs }
    },
    fetch: (id) => reports.get(id),
  }
}

const kindAtEfi = {
  RECEIVED: 'pixRecebido',
  RETURNED: 'pixDevolucaoEnviada',
  MED_RETURNED: 'pixDevolucaoEnviada',
  MED_REVERSED: 'pixDevolucaoRecebida',
  SENT: 'pixEnviadoChave',
  SENT_RETURNED: 'pixDevolucaoRecebida',
  TARIFF: 'tarifaPixRecebido',
  OTHER: 'transferenciaEnviada',
} as const
