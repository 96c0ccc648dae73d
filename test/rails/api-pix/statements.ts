import { dayOf, instant } from '../days.ts'
import { toValor } from '../money.ts'
import type { BankBook, Movement } from './book.ts'

/** The statements that banks show of their own book, each in its own form. */
type Words = Readonly<Record<Movement['kind'], string>>

const words: Words = {
  RECEIVED: 'Pix recebido',
  RETURNED: 'Pix devolução enviada',
  MED_RETURNED: 'Pix devolução por MED',
  MED_REVERSED: 'Pix devolução recebida',
  SENT: 'Pix enviado',
  SENT_RETURNED: 'Pix devolução recebida',
  TARIFF: 'Tarifa Pix recebido',
  OTHER: 'Pagamento de boleto',
}

const idOf = ({ rtrId, endToEndId }: Movement): string => rtrId ?? endToEndId

/** Inter's, with the id of each PIX in a field of its own. */
export const statementAtInter = (
  book: BankBook,
  { dataInicio, dataFim, pagina = '0', tamanhoPagina = '50' }: Readonly<Record<string, string>>,
) => {
  const all = book
    .movements()
    .filter(({ atMs }) => dayOf(atMs) >= dataInicio! && dayOf(atMs) <= dataFim!)
    .reverse()
  const [page, size] = [Number(pagina), Number(tamanhoPagina)]
  const shown = all.slice(page * size, (page + 1) * size)
  const pages = Math.max(1, Math.ceil(all.length / size))
  return {
    totalPaginas: pages,
    totalElementos: all.length,
    primeiraPagina: page === 0,
    ultimaPagina: page + 1 >= pages,
    tamanhoPagina: size,
    numeroDeElementos: shown.length,
    transacoes: shown.map((movement, n) => ({
      idTransacao: String(page * size + n),
      dataInclusao: dayOf(movement.atMs),
      dataTransacao: dayOf(movement.atMs),
      tipoTransacao: movement.kind === 'TARIFF' ? 'TARIFA' : movement.kind === 'OTHER' ? 'PAGAMENTO' : 'PIX',
      tipoOperacao: movement.cents < 0 ? 'D' : 'C',
      valor: toValor(Math.abs(movement.cents)),
      titulo: words[movement.kind],
      descricao: 'LOJA DAS FIGUEIRAS',
      ...(movement.kind === 'OTHER'
        ? {}
        : {
            detalhes: {
              tipoDetalhe: 'COMPLETE',
              // Its documents know the id of the payment alone.
              endToEndId: movement.kind === 'SENT_RETURNED' ? movement.endToEndId : idOf(movement),
              ...(movement.txid && { txId: movement.txid }),
              ...(movement.text !== undefined && { descricaoPix: movement.text }),
            },
          }),
    })),
  }
}

/** Days as Banco do Brasil writes them: DDMMAAAA, as a number. */
const dayAtBb = (day: string): number => Number(day.split('-').reverse().join(''))

/** Banco do Brasil's: no ids, and balances among the lines. */
export const statementAtBb = (book: BankBook, query: Readonly<Record<string, string>>) => {
  const page = Number(query.numeroPaginaSolicitacao ?? 1)
  const size = Number(query.quantidadeRegistroPaginaSolicitacao ?? 200)
  const inPeriod = book
    .movements()
    .filter(({ atMs }) => dayAtBb(dayOf(atMs)) === Number(query.dataInicioSolicitacao))
  const balance = (text: string, cents: number) => ({
    ...{ indicadorTipoLancamento: 'S', dataLancamento: 0, valorLancamento: cents / 100 },
    ...{ indicadorSinalLancamento: 'C', textoDescricaoHistorico: text, textoInformacaoComplementar: '' },
  })
  const lines = [
    balance('Saldo Anterior', 0),
    ...inPeriod.map((movement) => ({
      indicadorTipoLancamento: '1',
      dataLancamento: dayAtBb(dayOf(movement.atMs)),
      valorLancamento: Math.abs(movement.cents) / 100,
      indicadorSinalLancamento: movement.cents < 0 ? 'D' : 'C',
      textoDescricaoHistorico: words[movement.kind],
      textoInformacaoComplementar: '25/11 11:06 MARIA DA SILVA',
    })),
    balance('S A L D O', book.balanceCents()),
  ]
  const pages = Math.max(1, Math.ceil(lines.length / size))
  return {
    numeroPaginaAtual: page,
    quantidadeRegistroPaginaAtual: Math.min(size, lines.length),
    numeroPaginaAnterior: page - 1,
    numeroPaginaProximo: page < pages ? page + 1 : 0,
    quantidadeTotalPagina: pages,
    quantidadeTotalRegistro: lines.length,
    listaLancamento: lines.slice((page - 1) * size, page * size),
  }
}

/** Sicoob's: one month, with the id within a text. */
export const statementAtSicoob = (
  book: BankBook,
  { mes, ano }: Readonly<Record<string, string>>,
  { diaInicial, diaFinal }: Readonly<Record<string, string>>,
) => {
  const within = (atMs: number): boolean => {
    const day = dayOf(atMs)
    return day >= `${ano}-${mes}-${diaInicial}` && day <= `${ano}-${mes}-${diaFinal}`
  }
  return {
    resultado: {
      saldoAtual: toValor(book.balanceCents()),
      saldoAnterior: '0.00',
      saldoBloqueado: '0.00',
      saldoBloqueioJudicial: '0.00',
      saldoLimite: '0.00',
      transacoes: book
        .movements()
        .filter(({ atMs }) => within(atMs))
        .map((movement, n) => ({
          transactionId: String(n),
          tipo: movement.cents < 0 ? 'DEBITO' : 'CREDITO',
          valor: toValor(Math.abs(movement.cents)),
          data: instant(movement.atMs - 3 * 3_600_000).slice(0, 19),
          descricao: words[movement.kind].toUpperCase(),
          descInfComplementar: movement.kind === 'OTHER' ? '' : `${idOf(movement)} MARIA DA SILVA`,
          numeroDocumento: 'Pix',
        })),
    },
  }
}
