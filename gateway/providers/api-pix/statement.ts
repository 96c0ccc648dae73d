import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { StatementMovement } from '../../../engine/reconciliation/statement.ts'
import { type CalendarDate, readInstant } from '../../../engine/shared/calendar.ts'
import { toCents } from '../../../engine/shared/money.ts'
import type { DayAtBank, ProviderInstance } from '../port.ts'
import { payOutReferenceIn } from '../references.ts'
import { endToEndIdIn, kindOfLine } from '../statement-text.ts'
import { readValor } from './amounts.ts'
import type { BankCall, BankClient } from './client.ts'
import { waits, within } from './deadline.ts'
import type { StatementProfile } from './profile.ts'
import { verdictOf } from './verdict.ts'

type Read = NonNullable<ProviderInstance['statement']>

/**
 * The bank's statement of a day, whole: a page that cannot be read, or a line that makes no sense, leaves all of it for later. Absent where the
 * connection does not read it, or does not say which account it has.
 */
export const statementAtBank = (client: BankClient): Read | undefined => {
  const { profile, settings } = client
  if (profile.statement === null || settings.readsStatement !== true) return undefined
  const form = forms[profile.statement.kind](client, profile.statement as never)
  return form === null ? undefined : (day) => readWhole(client, form, day)
}

/** How a bank is asked for a page, and what it has on it. */
type Form = {
  /** The first page is 0. */
  readonly call: (day: DayAtBank, page: number) => BankCall
  readonly pageOf: (body: unknown) => StatementPage | null
  /** Null for a line that makes no sense, `NONE` for one that is no movement, such as a balance, or is of another day. */
  readonly movementOf: (line: unknown, date: CalendarDate) => StatementMovement | 'NONE' | null
}
type StatementPage = { readonly lines: readonly unknown[]; readonly isLast: boolean }

const pagesMax = 1_000

const readWhole = async (client: BankClient, form: Form, day: DayAtBank): ReturnType<Read> => {
  const movements: StatementMovement[] = []
  for (let number = 0; number < pagesMax; number++) {
    const reply = await within(client.io, waits.backgroundMs, (deadline) =>
      client.call({ ...form.call(day, number), use: 'STATEMENT' }, deadline),
    )
    const verdict = verdictOf(reply)
    const page = verdict.type === 'OK' ? form.pageOf(verdict.body) : null
    if (page === null) return null
    for (const line of page.lines) {
      const movement = form.movementOf(line, day.date)
      if (movement === null) {
        client.io.onFault(new Error("a line of the bank's statement cannot be read"))
        return null
      }
      if (movement !== 'NONE') movements.push(movement)
    }
    if (page.isLast) return movements
  }
  return null
}

const digits = (value: unknown): string => String(value ?? '').replace(/\D/g, '')
const text = Type.Optional(Type.Unknown())
const textOf = (...values: readonly unknown[]): string =>
  values.filter((value) => typeof value === 'string').join(' ')

/** Amounts have no sign, but say in another field whether they came in. */
const signed = (shown: unknown, isIn: boolean, isOut: boolean): number | null => {
  const cents = readValor(shown)
  if (cents === null || isIn === isOut) return null
  return isIn ? cents : 0 - cents
}

const reads =
  <Line extends TSchema>(
    schema: Line,
    read: (line: never, date: CalendarDate) => ReturnType<Form['movementOf']>,
  ): Form['movementOf'] =>
  (line, date) =>
    Check(schema, line) ? read(line as never, date) : null

/** Inter: `GET /banking/v2/extrato/completo`, which names what each line is, and its PIX. */
const interForm = (): Form => ({
  call: ({ date }, page) => ({
    verb: 'GET',
    path: '/banking/v2/extrato/completo',
    query: { dataInicio: date, dataFim: date, pagina: String(page), tamanhoPagina: '1000' },
  }),
  pageOf: (body) =>
    Check(InterPage, body) ? { lines: body.transacoes ?? [], isLast: body.ultimaPagina } : null,
  movementOf: reads(InterLine, (line: InterShown) => {
    const cents = signed(line.valor, line.tipoOperacao === 'C', line.tipoOperacao === 'D')
    if (cents === null) return null
    const words = textOf(line.titulo, line.descricao)
    const { endToEndId, txId, descricaoPix } = line.detalhes ?? {}
    const reference = cents < 0 ? payOutReferenceIn(textOf(line.descricao, descricaoPix)) : null
    const isOfPix = typeof endToEndId === 'string' && endToEndId !== ''
    return {
      kind: interKind(line, words, cents, isOfPix),
      cents: toCents(cents),
      endToEndId: isOfPix ? endToEndId : endToEndIdIn(`${words} ${txId ?? ''}`),
      atMs: null,
      ...(reference !== null && { reference }),
    }
  }),
})

const interKind = (
  { tipoTransacao }: InterShown,
  words: string,
  cents: number,
  isOfPix: boolean,
): StatementMovement['kind'] => {
  switch (tipoTransacao) {
    case 'TARIFA':
      return isOfPix || /pix/i.test(words) ? 'TARIFF' : 'OTHER'
    case 'ESTORNO':
      return isOfPix ? 'RETURN' : 'OTHER'
    case 'PIX': {
      // Its type says already that it is PIX, and no tariff.
      const kind = kindOfLine(`pix ${words}`, cents)
      return kind === 'RETURN' ? kind : cents > 0 ? 'PIX_IN' : 'PIX_OUT'
    }
    default:
      return 'OTHER'
  }
}

const InterPage = Type.Object({
  transacoes: Type.Optional(Type.Array(Type.Unknown())),
  ultimaPagina: Type.Boolean(),
})
const InterLine = Type.Object({
  tipoTransacao: Type.String(),
  tipoOperacao: Type.String(),
  valor: Type.Unknown(),
  titulo: text,
  descricao: text,
  detalhes: Type.Optional(Type.Object({ endToEndId: text, txId: text, descricaoPix: text })),
})
type InterShown = {
  readonly tipoTransacao: string
  readonly tipoOperacao: string
  readonly valor: unknown
  readonly titulo?: unknown
  readonly descricao?: unknown
  readonly detalhes?: {
    readonly endToEndId?: unknown
    readonly txId?: unknown
    readonly descricaoPix?: unknown
  }
}

/** Banco do Brasil: API Extratos, at a host of its own. Days are numbers without their leading zero, and lines of balances stand among the others. */
const bancoDoBrasilForm = (
  { settings, profile }: BankClient,
  { hosts }: Extract<StatementProfile, { kind: 'BB' }>,
): Form | null => {
  const branch = digits(settings.receiverBranch)
  // Neither has its check digit here.
  const account = digits(settings.receiverAccount?.split('-')[0])
  if (branch === '' || account === '') return null
  return {
    call: ({ date }, page) => {
      const day = String(Number(date.split('-').reverse().join('')))
      return {
        verb: 'GET',
        host: hosts[settings.host ?? 'PRODUCTION'],
        path: `/extratos/v1/conta-corrente/agencia/${Number(branch)}/conta/${Number(account)}`,
        query: {
          ...(settings.appKey === undefined || profile.headers.length === 0
            ? {}
            : { 'gw-dev-app-key': settings.appKey }),
          numeroPaginaSolicitacao: String(page + 1),
          quantidadeRegistroPaginaSolicitacao: '200',
          dataInicioSolicitacao: day,
          dataFimSolicitacao: day,
        },
      }
    },
    pageOf: (body) =>
      Check(BbPage, body)
        ? {
            lines: body.listaLancamento,
            isLast: !(Number(body.numeroPaginaProximo) > Number(body.numeroPaginaAtual)),
          }
        : null,
    movementOf: reads(BbLine, (line: BbShown, date) => {
      const words = textOf(line.textoDescricaoHistorico, line.textoInformacaoComplementar)
      const isBalance = /^S ?A ?L ?D ?O\b/i.test(words)
      // What is only planned has not moved.
      if (isBalance || String(line.indicadorTipoLancamento ?? '1') !== '1') return 'NONE'
      const day = String(line.dataLancamento).padStart(8, '0')
      if (`${day.slice(4)}-${day.slice(2, 4)}-${day.slice(0, 2)}` !== date) return 'NONE'
      const sign = line.indicadorSinalLancamento
      const cents = signed(line.valorLancamento, sign === 'C', sign === 'D')
      if (cents === null) return null
      return {
        kind: kindOfLine(words, cents),
        cents: toCents(cents),
        endToEndId: endToEndIdIn(words),
        atMs: null,
      }
    }),
  }
}

const BbPage = Type.Object({
  listaLancamento: Type.Array(Type.Unknown()),
  numeroPaginaAtual: text,
  numeroPaginaProximo: text,
})
const BbLine = Type.Object({
  indicadorTipoLancamento: text,
  dataLancamento: Type.Unknown(),
  valorLancamento: Type.Unknown(),
  indicadorSinalLancamento: text,
  textoDescricaoHistorico: text,
  textoInformacaoComplementar: text,
})
type BbShown = Readonly<
  Partial<
    Record<
      | 'indicadorTipoLancamento'
      | 'dataLancamento'
      | 'valorLancamento'
      | 'indicadorSinalLancamento'
      | 'textoDescricaoHistorico'
      | 'textoInformacaoComplementar',
      unknown
    >
  >
>

/** Sicoob: Conta Corrente v4, a part of a month without pages. Production wraps the answer in `resultado`, and its sandbox does not. */
const sicoobForm = (
  { settings }: BankClient,
  { prefixes }: Extract<StatementProfile, { kind: 'SICOOB' }>,
): Form | null => {
  const account = digits(settings.receiverAccount)
  if (account === '') return null
  const prefix = prefixes[settings.apiAddress === undefined ? (settings.host ?? 'PRODUCTION') : 'PRODUCTION']
  return {
    call: ({ date }) => {
      const [year, month, day] = date.split('-') as [string, string, string]
      return {
        verb: 'GET',
        path: `${prefix}/conta-corrente/v4/extrato/${month}/${year}`,
        query: { numeroContaCorrente: account, diaInicial: day, diaFinal: day, agruparCNAB: 'false' },
      }
    },
    pageOf: (body) => {
      const inside = Check(SicoobWrapped, body) ? body.resultado : body
      return Check(SicoobPage, inside) ? { lines: inside.transacoes, isLast: true } : null
    },
    movementOf: reads(SicoobLine, (line: SicoobShown, date) => {
      if (!String(line.data).startsWith(date)) return 'NONE'
      const cents = signed(line.valor, /^CRED/i.test(line.tipo), /^DEB/i.test(line.tipo))
      if (cents === null) return null
      const words = textOf(line.descricao, line.descInfComplementar)
      // Midnight is no time.
      const at = /T(?!00:00:00)\d{2}:\d{2}:\d{2}$/.test(line.data) ? readInstant(`${line.data}-03:00`) : null
      return {
        kind: kindOfLine(words, cents),
        cents: toCents(cents),
        endToEndId: endToEndIdIn(words),
        atMs: at,
      }
    }),
  }
}

const SicoobPage = Type.Object({ transacoes: Type.Array(Type.Unknown()) })
const SicoobWrapped = Type.Object({ resultado: SicoobPage })
const SicoobLine = Type.Object({
  tipo: Type.String(),
  valor: Type.Unknown(),
  data: Type.String(),
  descricao: text,
  descInfComplementar: text,
})
type SicoobShown = {
  readonly tipo: string
  readonly valor: unknown
  readonly data: string
  readonly descricao?: unknown
  readonly descInfComplementar?: unknown
}

const forms = { INTER: interForm, BB: bancoDoBrasilForm, SICOOB: sicoobForm } as const
