import { instant } from '../days.ts'
import { toCents, toValor } from '../money.ts'
import type { BankBook, Movement } from './book.ts'
import type { BankContext } from './context.ts'
import { paged } from './payments.ts'
import { type BankRefusal, refuse } from './problems.ts'

/** A PIX that the receiver sends, under the reference that it chose: Efí's `idEnvio`, Inter's idempotency key. */
export type SentPix = {
  readonly reference: string
  readonly endToEndId: string
  /** The bank's own number of the request, by which Inter is asked. */
  readonly requestId: string
  readonly cents: number
  readonly body: any
  readonly askedMs: number
  readonly settledMs: number | null
  readonly status: 'EM_PROCESSAMENTO' | 'REALIZADO' | 'NAO_REALIZADO'
  readonly error: SendError | null
  readonly returns: readonly { readonly rtrId: string; readonly cents: number; readonly atMs: number }[]
}

export type SendError = { readonly codigo: string; readonly motivo: string }

/** What becomes of PIX sent until a test says otherwise. */
export type SendSettings = {
  /** Milliseconds until one is through; null means until `settle` says so. */
  readonly settleAfterMs: number | null
  /** With what all fail; null means none does. */
  readonly error: SendError | null
}

export type BankSends = {
  /** Sends once: what was sent under the same reference is found by `find`. */
  readonly send: (reference: string, valor: string, body: any) => SentPix | BankRefusal
  readonly find: (reference: string) => SentPix | undefined
  readonly findBy: (fits: (sent: SentPix) => boolean) => SentPix | undefined
  readonly settle: (
    reference: string,
    how: { readonly status: 'REALIZADO' | 'NAO_REALIZADO'; readonly error?: SendError },
  ) => void
  /** Sends money of a PIX back that had arrived. */
  readonly giveBack: (reference: string, valor: string) => void
  readonly list: (query: Readonly<Record<string, string>>) => any
  readonly all: () => readonly SentPix[]
  readonly set: (settings: Partial<SendSettings>) => void
}

/** Opens what is sent; `onChange` hears of what becomes of it. */
export const openSends = (
  { clock, profile, newId }: BankContext,
  { book, onChange }: { readonly book: BankBook; readonly onChange: (sent: SentPix) => void },
): BankSends => {
  const sends = new Map<string, SentPix>()
  let settings: SendSettings = { settleAfterMs: 1000, error: null }
  const change = (reference: string, changes: Partial<SentPix>): void => {
    const after = { ...sends.get(reference)!, ...changes }
    sends.set(reference, after)
    onChange(after)
  }

  const settle: BankSends['settle'] = (reference, { status, error }) => {
    const sent = sends.get(reference)
    if (sent?.status !== 'EM_PROCESSAMENTO') throw new Error(`${reference} is not on its way`)
    book.unblock(sent.endToEndId)
    const atMs = clock.nowMs()
    const isDone = status === 'REALIZADO'
    if (isDone) record({ kind: 'SENT', atMs, cents: -sent.cents, rtrId: null }, sent)
    change(reference, { status, error: error ?? null, settledMs: isDone ? atMs : null })
  }

  const record = (
    of: Pick<Movement, 'kind' | 'atMs' | 'cents' | 'rtrId'>,
    { endToEndId, reference, body }: SentPix,
  ): void =>
    book.record({
      ...{ ...of, endToEndId, txid: null, returnId: reference },
      ...(typeof body.descricao === 'string' && { text: body.descricao }),
    })

  return {
    send: (reference, valor, body) => {
      const cents = toCents(valor)
      if (cents === 0) return refuse(400, 'valor_invalido', 'Campo valor deve ser maior que zero')
      const endToEndId = newId.endToEnd('E', profile.ispb)
      const sent: SentPix = {
        reference,
        endToEndId,
        requestId: newId.uuid(),
        cents,
        body,
        askedMs: clock.nowMs(),
        settledMs: null,
        status: 'EM_PROCESSAMENTO',
        error: null,
        returns: [],
      }
      const isCovered = book.availableCents() >= cents
      sends.set(reference, sent)
      if (isCovered) book.block(endToEndId, cents)
      const { settleAfterMs, error } = settings
      if (settleAfterMs !== null || !isCovered)
        clock.at(clock.nowMs() + (settleAfterMs ?? 0), () => {
          if (sends.get(reference)!.status !== 'EM_PROCESSAMENTO') return
          const why = isCovered
            ? error
            : { codigo: 'AM04', motivo: 'Saldo insuficiente na conta do usuário pagador' }
          settle(reference, why === null ? { status: 'REALIZADO' } : { status: 'NAO_REALIZADO', error: why })
        })
      return sent
    },
    find: (reference) => sends.get(reference),
    findBy: (fits) => [...sends.values()].find(fits),
    settle,
    giveBack: (reference, valor) => {
      const sent = sends.get(reference)
      if (sent?.status !== 'REALIZADO') throw new Error(`${reference} did not arrive`)
      const cents = toCents(valor)
      const before = sent.returns.reduce((sum, returned) => sum + returned.cents, 0)
      if (before + cents > sent.cents) throw new Error('more than what was sent')
      const rtrId = newId.endToEnd('D', '60746948')
      const atMs = clock.nowMs()
      record({ kind: 'SENT_RETURNED', atMs, cents, rtrId }, sent)
      change(reference, { returns: [...sent.returns, { rtrId, cents, atMs }] })
    },
    list: (query) => {
      const fitting = [...sends.values()].filter(
        ({ askedMs, status }) =>
          askedMs >= Date.parse(query.inicio!) &&
          askedMs <= Date.parse(query.fim!) &&
          (query.status === undefined || status === query.status),
      )
      return paged(query, fitting.map(sentAtEfi), 'pix')
    },
    all: () => [...sends.values()],
    set: (changes) => {
      settings = { ...settings, ...changes }
    },
  }
}

/** A PIX sent as Efí's inquiries show it. */
export const sentAtEfi = ({
  endToEndId,
  reference,
  cents,
  body,
  askedMs,
  settledMs,
  status,
  returns,
}: SentPix) => ({
  endToEndId,
  idEnvio: reference,
  valor: toValor(cents),
  chave: body.pagador.chave,
  status,
  ...(body.pagador.infoPagador === undefined ? {} : { infoPagador: body.pagador.infoPagador }),
  horario: {
    solicitacao: instant(askedMs),
    ...(settledMs === null ? {} : { liquidacao: instant(settledMs) }),
  },
  favorecido: body.favorecido,
  ...(returns.length === 0
    ? {}
    : {
        devolucoes: returns.map((returned) => ({
          rtrId: returned.rtrId,
          valor: toValor(returned.cents),
          horario: instant(returned.atMs),
        })),
      }),
})

/** What Efí's callback says of a PIX sent. */
export const noticeOfSent = (
  { endToEndId, reference, cents, body, settledMs, status, error, returns }: SentPix,
  nowMs: number,
) => ({
  endToEndId,
  chave: body.pagador.chave,
  tipo: 'SOLICITACAO',
  status,
  valor: toValor(cents),
  horario: instant(settledMs ?? nowMs),
  gnExtras: {
    idEnvio: reference,
    ...(error === null ? {} : { erro: { ...error, origem: 'PSP do usuário recebedor' } }),
  },
  ...(returns.length === 0
    ? {}
    : {
        devolucoes: returns.map((returned) => ({
          id: returned.rtrId,
          rtrId: returned.rtrId,
          valor: toValor(returned.cents),
          horario: { solicitacao: instant(returned.atMs), liquidacao: instant(returned.atMs) },
          status: 'DEVOLVIDO',
        })),
      }),
})

/** A PIX sent as Inter's inquiry shows it: with its history. */
export const sentAtInter = (sent: SentPix, account: string) => {
  const status = { EM_PROCESSAMENTO: 'ENVIADO', REALIZADO: 'PAGO', NAO_REALIZADO: 'FALHA' }[sent.status]
  return {
    transacaoPix: {
      contaCorrente: account,
      codigoSolicitacao: sent.requestId,
      endToEnd: sent.endToEndId,
      valor: sent.cents / 100,
      status,
      dataHoraSolicitacao: instant(sent.askedMs),
      dataHoraMovimento: instant(sent.settledMs ?? sent.askedMs),
      ...(sent.body.destinatario.chave === undefined ? {} : { chave: sent.body.destinatario.chave }),
      ...(sent.error === null
        ? {}
        : { erros: [{ codigoErro: sent.error.codigo, descricaoErro: sent.error.motivo }] }),
    },
    historico: [
      { status: 'CRIADO', dataHoraEvento: instant(sent.askedMs) },
      ...(sent.settledMs === null ? [] : [{ status, dataHoraEvento: instant(sent.settledMs) }]),
    ],
  }
}
