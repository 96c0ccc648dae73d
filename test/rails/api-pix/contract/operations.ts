import Type, { type TProperties, type TSchema } from 'typebox'
import {
  cobComplete,
  cobGenerated,
  cobRequest,
  cobRevision,
  cobvComplete,
  cobvGenerated,
  cobvRequest,
  cobvRevision,
  devolucao,
  devolucaoRequest,
  pix,
  pixList,
} from './charges.ts'
import {
  anyTxid,
  chave,
  closed,
  cnpj,
  cpf,
  date,
  dateTime,
  endToEndId,
  listQuery,
  paginacao,
  problem,
  recurrenceId,
  returnId,
  txid,
  upTo,
  whole,
} from './fields.ts'
import {
  cobrComplete,
  cobrGenerated,
  cobrList,
  cobrNotice,
  cobrRequest,
  cobrRevision,
  locRec,
  locRecList,
  recComplete,
  recGenerated,
  recList,
  recNotice,
  recRequest,
  recRevision,
  solicRec,
  solicRecRequest,
  solicRecRevision,
} from './mandates.ts'

/** One operation of API Pix: what may be asked, and what is answered to it. */
export type ContractOperation = {
  readonly verb: string
  /** As in `/cob/{txid}`, below the bank's base. */
  readonly path: string
  readonly scope: string
  readonly parameters: TSchema
  readonly query: TSchema
  /** Null where there is none. */
  readonly body: TSchema | null
  /** The status of success, and its body; null where there is none. */
  readonly success: readonly [number, TSchema | null]
  /** Other statuses that are no errors. */
  readonly also?: readonly (readonly [number, TSchema | null])[]
  /** The statuses of errors that the document lists. */
  readonly errors: readonly number[]
}

const operation = (
  verb: string,
  path: string,
  scope: string,
  success: ContractOperation['success'],
  given: { readonly query?: TSchema; readonly body?: TSchema } = {},
): ContractOperation => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const isList = verb === 'GET' && given.query !== undefined && names.length === 0
  const isNew = verb === 'POST' && names.length === 0 && path !== '/solicrec'
  const errors = [
    ...(verb === 'GET' || verb === 'DELETE' ? [] : [400]),
    403,
    ...(isList || isNew ? [] : [404]),
    503,
  ]
  return {
    verb,
    path,
    scope,
    parameters: closed(Object.fromEntries(names.map((name) => [name, parameters[name]!]))),
    query: given.query ?? closed({}),
    body: given.body ?? null,
    success,
    errors: path === '/locrec' && verb === 'POST' ? [403, 503] : errors,
  }
}

const parameters: TProperties = {
  txid,
  e2eid: endToEndId,
  id: returnId,
  chave,
  idRec: recurrenceId,
  idSolicRec: recurrenceId,
  data: date,
}

const revision = closed({}, { revisao: whole() })
const webhook = closed({ webhookUrl: Type.String({ format: 'uri' }) })
const webhookShown = closed(
  { webhookUrl: Type.String({ format: 'uri' }), criacao: dateTime },
  { chave, cnpj },
)
const webhookList = closed(
  { webhooks: Type.Array(webhookShown) },
  { parametros: closed({}, { inicio: dateTime, fim: dateTime, paginacao }) },
)
const convenio = upTo(60)

/** The operations that the simulator serves. */
export const operations: readonly ContractOperation[] = [
  operation('PUT', '/cob/{txid}', 'cob.write', [201, cobGenerated], { body: cobRequest }),
  operation('PATCH', '/cob/{txid}', 'cob.write', [200, cobGenerated], { body: cobRevision }),
  operation('GET', '/cob/{txid}', 'cob.read', [200, cobComplete], { query: revision }),
  operation('PUT', '/cobv/{txid}', 'cobv.write', [201, cobvGenerated], { body: cobvRequest }),
  operation('PATCH', '/cobv/{txid}', 'cobv.write', [200, cobvGenerated], { body: cobvRevision }),
  operation('GET', '/cobv/{txid}', 'cobv.read', [200, cobvComplete], { query: revision }),
  operation('GET', '/pix/{e2eid}', 'pix.read', [200, pix]),
  operation('GET', '/pix', 'pix.read', [200, pixList], {
    query: listQuery({
      txid: anyTxid,
      txIdPresente: Type.Boolean(),
      devolucaoPresente: Type.Boolean(),
      finalidadeMED: Type.Boolean(),
      cpf,
      cnpj,
    }),
  }),
  operation('PUT', '/pix/{e2eid}/devolucao/{id}', 'pix.write', [201, devolucao], { body: devolucaoRequest }),
  operation('GET', '/pix/{e2eid}/devolucao/{id}', 'pix.read', [200, devolucao]),
  operation('PUT', '/webhook/{chave}', 'webhook.write', [200, null], { body: webhook }),
  operation('GET', '/webhook/{chave}', 'webhook.read', [200, webhookShown]),
  operation('DELETE', '/webhook/{chave}', 'webhook.write', [204, null]),
  operation('GET', '/webhook', 'webhook.read', [200, webhookList], {
    query: closed(
      {},
      {
        inicio: dateTime,
        fim: dateTime,
        'paginacao.paginaAtual': whole(0),
        'paginacao.itensPorPagina': whole(1, 1000),
      },
    ),
  }),
  operation('POST', '/locrec', 'payloadlocationrec.write', [201, locRec]),
  operation('GET', '/locrec', 'payloadlocationrec.read', [200, locRecList], {
    query: listQuery({ idRecPresente: Type.Boolean(), convenio }),
  }),
  operation('GET', '/locrec/{id}', 'payloadlocationrec.read', [200, locRec]),
  operation('DELETE', '/locrec/{id}/idRec', 'payloadlocationrec.write', [200, locRec]),
  operation('POST', '/rec', 'rec.write', [201, recGenerated], { body: recRequest }),
  operation('PATCH', '/rec/{idRec}', 'rec.write', [200, recGenerated], { body: recRevision }),
  operation('GET', '/rec/{idRec}', 'rec.read', [200, recComplete], { query: closed({}, { txid }) }),
  operation('GET', '/rec', 'rec.read', [200, recList], {
    query: listQuery({ cpf, cnpj, locationPresente: Type.Boolean(), status: Type.String(), convenio }),
  }),
  operation('POST', '/solicrec', 'solicrec.write', [201, solicRec], { body: solicRecRequest }),
  operation('PATCH', '/solicrec/{idSolicRec}', 'solicrec.write', [201, solicRec], { body: solicRecRevision }),
  operation('GET', '/solicrec/{idSolicRec}', 'solicrec.read', [200, solicRec]),
  operation('PUT', '/cobr/{txid}', 'cobr.write', [201, cobrGenerated], { body: cobrRequest }),
  operation('PATCH', '/cobr/{txid}', 'cobr.write', [200, cobrGenerated], { body: cobrRevision }),
  operation('GET', '/cobr/{txid}', 'cobr.read', [200, cobrComplete]),
  operation('GET', '/cobr', 'cobr.read', [200, cobrList], {
    query: listQuery({ idRec: recurrenceId, cpf, cnpj, status: Type.String(), convenio }),
  }),
  operation('POST', '/cobr/{txid}/retentativa/{data}', 'cobr.write', [201, cobrComplete]),
  ...['/webhookrec', '/webhookcobr'].flatMap((path) => [
    operation('PUT', path, `${path.slice(1)}.write`, [200, null], { body: webhook }),
    operation('GET', path, `${path.slice(1)}.read`, [200, webhookShown]),
    operation('DELETE', path, `${path.slice(1)}.write`, [204, null]),
  ]),
]

/** The bodies of callbacks, by the suffix of their path. */
export const notices: Readonly<Record<'pix' | 'rec' | 'cobr', TSchema>> = {
  pix: closed({ pix: Type.Array(pix) }),
  rec: recNotice,
  cobr: cobrNotice,
}

/** What every error says. */
export const problemSchema = problem
