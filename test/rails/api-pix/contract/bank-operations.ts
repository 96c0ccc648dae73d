import Type, { type TProperties } from 'typebox'
import { pixList } from './charges.ts'
import {
  closed,
  cnpj,
  cpf,
  date,
  dateTime,
  endToEndId,
  listOf,
  listQuery,
  oneOf,
  upTo,
  valor,
  whole,
} from './fields.ts'
import type { ContractOperation } from './operations.ts'

/**
 * What banks offer beside API Pix, by full paths. Efí: as its SDK for Node 2.0.1 describes it; Inter: as its SDK for Java does; Banco do
 * Brasil: as pypix-api 0.12.0 calls it. No bank publishes a document that these could be held against.
 */
const own = (
  verb: string,
  path: string,
  scope: string,
  success: ContractOperation['success'],
  given: Partial<Pick<ContractOperation, 'query' | 'body' | 'also'>> & {
    readonly parameters?: TProperties
  } = {},
): ContractOperation => ({
  verb,
  path,
  scope,
  parameters: closed(given.parameters ?? {}),
  query: given.query ?? closed({}),
  body: given.body ?? null,
  success,
  errors: [400, 403, 404, 409, 422, 500, 503],
  ...(given.also === undefined ? {} : { also: given.also }),
})

const text = Type.String()
const accountOf = (document: TProperties) =>
  closed({
    contaBanco: closed({
      nome: text,
      ...document,
      codigoBanco: text,
      agencia: text,
      conta: text,
      tipoConta: oneOf('cacc', 'svgs'),
    }),
  })
const favorecido = Type.Union([
  closed({ chave: text }, { cpf }),
  closed({ chave: text }, { cnpj }),
  accountOf({ cpf }),
  accountOf({ cnpj }),
])
const statusOfSent = oneOf('EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO')
const sent = closed(
  {
    endToEndId,
    idEnvio: text,
    valor,
    chave: text,
    status: statusOfSent,
    horario: closed({ solicitacao: dateTime }, { liquidacao: dateTime }),
    favorecido,
  },
  {
    infoPagador: text,
    devolucoes: Type.Array(closed({ rtrId: endToEndId, valor, horario: dateTime })),
  },
)
const idEnvio = Type.String({ pattern: '^[a-zA-Z0-9]{1,35}$' })
const side = closed({ nomeParticipante: text, conta: whole(), nome: text, documento: text })
const infraction = closed(
  {
    idInfracao: text,
    endToEndId,
    protocolo: whole(),
    dataTransacao: dateTime,
    valor: Type.Number(),
    status: oneOf('ABERTA', 'ACEITA', 'CANCELADA_EFI', 'EM_DEFESA', 'REJEITADA'),
    razao: text,
    identificadorTicket: Type.Array(whole()),
    dadosAnalise: closed(
      { abertura: dateTime, prazoFinalizacao: dateTime },
      { recebimentoDefesa: dateTime, finalizacao: dateTime },
    ),
    origem: side,
    destino: side,
    criadoEm: dateTime,
    atualizadoEm: dateTime,
  },
  {
    chave: text,
    tipoSituacao: text,
    tipoFraude: text,
    comentario: text,
    defesa: text,
    justificativaAnalista: text,
  },
)
const kindsOfReport = [
  ...[
    'pixRecebido',
    'pixEnviadoChave',
    'pixEnviadoDadosBancarios',
    'estornoPixEnviado',
    'pixDevolucaoEnviada',
  ],
  ...['pixDevolucaoRecebida', 'tarifaPixEnviado', 'tarifaPixRecebido', 'estornoTarifaPixEnviado'],
  ...['saldoDiaAnterior', 'saldoDia', 'transferenciaEnviada', 'transferenciaRecebida'],
  ...['estornoTransferenciaEnviada', 'tarifaTransferenciaEnviada', 'estornoTarifaTransferenciaEnviada'],
  'estornoTarifaPixRecebido',
]
const report = closed({
  id: text,
  dataSolicitacao: dateTime,
  status: oneOf('AGUARDANDO_PROCESSAMENTO', 'EM_PROCESSAMENTO', 'CONCLUIDO'),
})

/** Outgoing PIX, MED, lost callbacks and the statement of Efí. */
export const efiOperations: readonly ContractOperation[] = [
  own(
    'PUT',
    '/v3/gn/pix/{idEnvio}',
    'pix.send',
    [
      201,
      closed({
        endToEndId,
        idEnvio: text,
        valor,
        horario: closed({ solicitacao: dateTime }),
        status: oneOf('EM_PROCESSAMENTO'),
      }),
    ],
    {
      parameters: { idEnvio },
      body: closed({ valor, pagador: closed({ chave: text }, { infoPagador: upTo(140) }), favorecido }),
    },
  ),
  own('GET', '/v2/gn/pix/enviados/id-envio/{idEnvio}', 'gn.pix.send.read', [200, sent], {
    parameters: { idEnvio },
  }),
  own('GET', '/v2/gn/pix/enviados/{e2eId}', 'gn.pix.send.read', [200, sent], {
    parameters: { e2eId: endToEndId },
  }),
  own(
    'GET',
    '/v2/gn/pix/enviados',
    'gn.pix.send.read',
    [200, listOf('pix', sent, { status: statusOfSent })],
    {
      query: listQuery({ status: statusOfSent }),
    },
  ),
  own('GET', '/v2/gn/saldo', 'gn.balance.read', [200, closed({ saldo: valor })]),
  own('POST', '/v2/gn/webhook/reenviar', 'webhook.write', [202, null], {
    body: closed({
      tipo: oneOf('PIX_RECEBIDO', 'PIX_ENVIADO', 'DEVOLUCAO_RECEBIDA', 'DEVOLUCAO_ENVIADA'),
      e2eids: Type.Array(endToEndId, { minItems: 1, maxItems: 1000 }),
    }),
  }),
  own('GET', '/v2/gn/infracoes', 'gn.infractions.read', [200, listOf('infracoes', infraction)], {
    query: listQuery(),
  }),
  own('POST', '/v2/gn/infracoes/{idInfracao}/defesa', 'gn.infractions.write', [201, null], {
    parameters: { idInfracao: text },
    body: closed({ analise: oneOf('rejeitado'), justificativa: text }),
  }),
  own('POST', '/v2/gn/relatorios/extrato-conciliacao', 'gn.reports.write', [202, report], {
    body: closed({
      dataMovimento: date,
      tipoRegistros: closed({}, Object.fromEntries(kindsOfReport.map((kind) => [kind, Type.Boolean()]))),
    }),
  }),
  own('GET', '/v2/gn/relatorios/{id}', 'gn.reports.read', [200, text], {
    parameters: { id: text },
    also: [[202, report]],
  }),
]

const statusAtInter = oneOf(
  ...[
    'CRIADO',
    'AGUARDANDO_APROVACAO',
    'APROVADO',
    'REPROVADO',
    'EXPIRADO',
    'CANCELADO',
    'FALHA',
    'AGENDADO',
  ],
  ...[
    'PAGO',
    'ENVIADO',
    'CANCELADO_SEM_SALDO',
    'DEBITADO',
    'NAO_DEBITADO',
    'TRANSACAO_CRIADA',
    'PIX_ENVIADO',
    'PIX_PAGO',
  ],
)
const uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })

/** Outgoing PIX of Inter. */
export const interOperations: readonly ContractOperation[] = [
  own(
    'POST',
    '/banking/v2/pix',
    'pagamento-pix.write',
    [
      200,
      closed(
        { tipoRetorno: text, codigoSolicitacao: uuid, dataPagamento: date, dataOperacao: date },
        { endToEndId, codigoAgendamento: text, horaPagamento: text },
      ),
    ],
    {
      body: closed(
        {
          // Its documentation says number, its SDK sends text.
          valor: Type.Union([valor, Type.Number({ exclusiveMinimum: 0 })]),
          destinatario: Type.Union([
            closed({ tipo: oneOf('CHAVE'), chave: text }),
            closed({ tipo: oneOf('PIX_COPIA_E_COLA'), pixCopiaECola: text }),
            Type.Object({ tipo: oneOf('DADOS_BANCARIOS') }),
          ]),
        },
        { dataPagamento: date, descricao: upTo(140) },
      ),
    },
  ),
  own(
    'GET',
    '/banking/v2/pix/{codigoSolicitacao}',
    'pagamento-pix.read',
    [
      200,
      closed({
        transacaoPix: closed(
          {
            contaCorrente: text,
            codigoSolicitacao: uuid,
            endToEnd: endToEndId,
            valor: Type.Number(),
            status: statusAtInter,
            dataHoraSolicitacao: dateTime,
            dataHoraMovimento: dateTime,
          },
          {
            chave: text,
            erros: Type.Array(
              closed({ codigoErro: text, descricaoErro: text }, { codigoErroComplementar: text }),
            ),
          },
        ),
        historico: Type.Array(closed({ status: statusAtInter, dataHoraEvento: dateTime })),
      }),
    ],
    { parameters: { codigoSolicitacao: uuid } },
  ),
  own(
    'GET',
    '/banking/v2/saldo',
    'extrato.read',
    [
      200,
      closed({
        disponivel: Type.Number(),
        bloqueadoCheque: Type.Number(),
        bloqueadoJudicialmente: Type.Number(),
        bloqueadoAdministrativo: Type.Number(),
        limite: Type.Number(),
      }),
    ],
    { query: closed({}, { dataSaldo: date }) },
  ),
]

/** Statements, by the names of banks. Inter: as a client generated from its document has it; Banco do Brasil and Sicoob: as several programs read them. */
export const statementOperations: Readonly<Record<'INTER' | 'BB' | 'SICOOB', ContractOperation>> = {
  INTER: own(
    'GET',
    '/banking/v2/extrato/completo',
    'extrato.read',
    [
      200,
      closed(
        {
          transacoes: Type.Array(Type.Object({ tipoTransacao: text, tipoOperacao: oneOf('C', 'D'), valor })),
        },
        {
          totalPaginas: whole(1),
          totalElementos: whole(0),
          ultimaPagina: Type.Boolean(),
          primeiraPagina: Type.Boolean(),
          tamanhoPagina: whole(1),
          numeroDeElementos: whole(0),
        },
      ),
    ],
    {
      query: closed(
        { dataInicio: date, dataFim: date },
        {
          pagina: whole(0),
          tamanhoPagina: whole(1, 10_000),
          tipoOperacao: oneOf('C', 'D'),
          tipoTransacao: text,
        },
      ),
    },
  ),
  BB: own(
    'GET',
    '/extratos/v1/conta-corrente/agencia/{agencia}/conta/{conta}',
    'extrato-info',
    [200, Type.Object({ listaLancamento: Type.Array(Type.Object({})), numeroPaginaProximo: whole(0) })],
    {
      parameters: { agencia: text, conta: text },
      query: closed(
        {},
        {
          'gw-dev-app-key': text,
          numeroPaginaSolicitacao: whole(1),
          quantidadeRegistroPaginaSolicitacao: whole(50, 200),
          dataInicioSolicitacao: whole(1_012_000, 31_129_999),
          dataFimSolicitacao: whole(1_012_000, 31_129_999),
        },
      ),
    },
  ),
  SICOOB: own(
    'GET',
    '/conta-corrente/v4/extrato/{mes}/{ano}',
    'cco_consulta',
    [
      200,
      Type.Object({
        resultado: Type.Object({ transacoes: Type.Array(Type.Object({ tipo: text, valor, data: text })) }),
      }),
    ],
    {
      parameters: {
        mes: Type.String({ pattern: '^(0[1-9]|1[0-2])$' }),
        ano: Type.String({ pattern: '^\\d{4}$' }),
      },
      query: closed(
        { numeroContaCorrente: text },
        { diaInicial: text, diaFinal: text, agruparCNAB: Type.Boolean() },
      ),
    },
  ),
}

/** The list of Banco do Brasil that knows which PIX are contested. */
export const bancoDoBrasilOperations: readonly ContractOperation[] = [
  own(
    'GET',
    '/pix/v2/pix-bb',
    'pix.read',
    [200, closed({ parametros: Type.Object({}), pix: pixList.properties.pix! })],
    {
      query: listQuery({
        chave: text,
        txid: text,
        txIdPresente: Type.Boolean(),
        devolucaoPresente: Type.Boolean(),
        contestacaoPresente: Type.Boolean(),
        cpf,
        cnpj,
      }),
    },
  ),
]
