import { createHash } from 'node:crypto'
import { dayOf, instant } from '../days.ts'
import { toValor } from '../money.ts'
import type { SimulatedBank } from './bank.ts'
import type { ContractOperation } from './contract/operations.ts'
import { paged } from './payments.ts'
import { type BankRefusal, isRefusal, refuse } from './problems.ts'
import { sentAtEfi, sentAtInter } from './sends.ts'
import { statementAtBb, statementAtInter, statementAtSicoob } from './statements.ts'
import { webhookShownOf } from './webhooks.ts'

/** What was asked, after its form was held against the contract. */
export type Asked = {
  readonly operation: ContractOperation
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: any
}

/** What is answered: a body, or none, or a refusal. */
export type Answered = { readonly status: number; readonly body: unknown } | BankRefusal

/** Carries an operation out. */
export const carryOut = async (bank: SimulatedBank, asked: Asked): Promise<Answered> => {
  const handler = handlers[`${asked.operation.verb} ${asked.operation.path}`]
  if (handler === undefined) return refuse(404, 'NaoEncontrado', 'Recurso não encontrado.')
  const answer = await handler(bank, asked)
  return isRefusal(answer) || isAnswered(answer)
    ? answer
    : { status: asked.operation.success[0], body: answer }
}

/** Handlers answer a body alone where the status is that of success. No body of a bank has these two fields. */
const isAnswered = (answer: any): answer is { status: number; body: unknown } =>
  typeof answer === 'object' && answer !== null && 'status' in answer && 'body' in answer

type Handler = (bank: SimulatedBank, asked: Asked) => unknown

const done = (status: number) => ({ status, body: undefined })

const putCharge =
  (kind: 'cob' | 'cobv'): Handler =>
  ({ charges }, { parameters, body }) => {
    const charge = charges.put(kind, parameters.txid!, body)
    return isRefusal(charge) ? charge : charges.show(charge)
  }
const patchCharge =
  (kind: 'cob' | 'cobv'): Handler =>
  ({ charges }, { parameters, body }) => {
    const charge = charges.patch(kind, parameters.txid!, body)
    return isRefusal(charge) ? charge : charges.show(charge)
  }
const getCharge =
  (kind: 'cob' | 'cobv'): Handler =>
  ({ charges, payments, context }, { parameters, query }) => {
    const charge = charges.find(parameters.txid!)
    if (charge?.kind !== kind)
      return refuse(
        404,
        kind === 'cob' ? 'CobNaoEncontrado' : 'CobVNaoEncontrada',
        'Cobrança não encontrada para o txid informado.',
      )
    const revision = query.revisao === undefined ? undefined : Number(query.revisao)
    if (revision !== undefined && charge.revisions[revision] === undefined)
      return refuse(
        400,
        kind === 'cob' ? 'CobConsultaInvalida' : 'CobVConsultaInvalida',
        'A revisão não existe.',
      )
    const pix = payments
      .of(charge.txid)
      .map(payments.show)
      .map(({ chave, ...rest }) => (context.profile.showsComponents ? { chave, ...rest } : rest))
    return { ...charges.show(charge, revision), ...(pix.length === 0 ? {} : { pix }) }
  }

/** Lists of a window, and what is wrong with windows. */
const windowed =
  (name: string, run: Handler): Handler =>
  (bank, asked) => {
    const { query } = asked
    const { windowDaysMax } = bank.context.profile
    const no = (razao: string) => refuse(400, name, razao, [{ razao, propriedade: 'query' }])
    if (query.inicio !== undefined && query.fim !== undefined) {
      const length = Date.parse(query.fim) - Date.parse(query.inicio)
      if (length < 0) return no('O timestamp de fim é anterior ao de início.')
      if (windowDaysMax !== null && length > windowDaysMax * 86_400_000)
        return no(`O período excede ${windowDaysMax} dias.`)
    }
    if (query.cpf !== undefined && query.cnpj !== undefined) return no('cpf e cnpj não podem vir juntos.')
    return run(bank, asked)
  }

const within = (query: Readonly<Record<string, string>>, ms: number): boolean =>
  ms >= Date.parse(query.inicio!) && ms <= Date.parse(query.fim!)

const webhookOf =
  (kind: 'pix' | 'rec' | 'cobr', verb: 'PUT' | 'GET' | 'DELETE'): Handler =>
  async ({ webhooks, context }, { parameters, body, headers }) => {
    const chave = kind === 'pix' ? parameters.chave! : null
    const name = kind === 'pix' ? 'Webhook' : kind === 'rec' ? 'WebhookRec' : 'WebhookCobR'
    if (verb === 'PUT') {
      if (chave !== null && !context.receiver.chaves.includes(chave))
        return refuse(400, `${name}OperacaoInvalida`, 'A chave não pertence a este usuário recebedor.')
      const skipsMtls = headers['x-skip-mtls-checking'] === 'true'
      const registered = await webhooks.register({ kind, chave, url: body.webhookUrl, skipsMtls })
      return isRefusal(registered) ? registered : done(200)
    }
    const found = webhooks.find(kind, chave)
    if (found === undefined) return refuse(404, `${name}NaoEncontrado`, 'O webhook não está estabelecido.')
    if (verb === 'GET') return webhookShownOf(found, context.receiver.cnpj)
    webhooks.remove(kind, chave)
    return done(204)
  }

const handlers: Readonly<Record<string, Handler>> = {
  'PUT /cob/{txid}': putCharge('cob'),
  'PATCH /cob/{txid}': patchCharge('cob'),
  'GET /cob/{txid}': getCharge('cob'),
  'PUT /cobv/{txid}': putCharge('cobv'),
  'PATCH /cobv/{txid}': patchCharge('cobv'),
  'GET /cobv/{txid}': getCharge('cobv'),

  'GET /pix/{e2eid}': ({ payments }, { parameters }) => {
    const pix = payments.find(parameters.e2eid!)
    return pix === undefined
      ? refuse(404, 'PixNaoEncontrado', 'Pix não encontrado para o e2eid informado.')
      : payments.show(pix)
  },
  'GET /pix': windowed('PixConsultaInvalida', ({ payments, context }, { query }) =>
    query.finalidadeMED !== undefined && context.profile.version === '2.9.0'
      ? refuse(400, 'PixConsultaInvalida', 'finalidadeMED não existe nesta versão.')
      : payments.list(query),
  ),
  'PUT /pix/{e2eid}/devolucao/{id}': ({ payments }, { parameters, body }) => {
    const made = payments.askReturn(parameters.e2eid!, parameters.id!, body)
    return isRefusal(made) ? made : payments.showReturn(made)
  },
  'GET /pix/{e2eid}/devolucao/{id}': ({ payments }, { parameters }) => {
    const found = payments.findReturn(parameters.e2eid!, parameters.id!)
    return found === undefined
      ? refuse(404, 'PixDevolucaoNaoEncontrada', 'Devolução não encontrada para o e2eid informado.')
      : payments.showReturn(found)
  },

  'PUT /webhook/{chave}': webhookOf('pix', 'PUT'),
  'GET /webhook/{chave}': webhookOf('pix', 'GET'),
  'DELETE /webhook/{chave}': webhookOf('pix', 'DELETE'),
  'GET /webhook': ({ webhooks, context }) => ({
    webhooks: webhooks.all().map((of) => webhookShownOf(of, context.receiver.cnpj)),
  }),
  'PUT /webhookrec': webhookOf('rec', 'PUT'),
  'GET /webhookrec': webhookOf('rec', 'GET'),
  'DELETE /webhookrec': webhookOf('rec', 'DELETE'),
  'PUT /webhookcobr': webhookOf('cobr', 'PUT'),
  'GET /webhookcobr': webhookOf('cobr', 'GET'),
  'DELETE /webhookcobr': webhookOf('cobr', 'DELETE'),

  'POST /locrec': ({ mandates }) => mandates.createLocation(),
  'GET /locrec': windowed('PayloadLocationRecConsultaInvalida', ({ mandates }, { query }) =>
    paged(
      query,
      mandates
        .listLocations()
        .filter(
          ({ criacao, idRec }) =>
            within(query, Date.parse(criacao)) &&
            (query.idRecPresente === undefined || (query.idRecPresente === 'true') === (idRec !== undefined)),
        ),
      'loc',
    ),
  ),
  'GET /locrec/{id}': ({ mandates }, { parameters }) => mandates.showLocation(parameters.id!),
  'DELETE /locrec/{id}/idRec': ({ mandates }, { parameters }) => mandates.freeLocation(parameters.id!),
  'POST /rec': ({ mandates }, { body }) => mandates.create(body),
  'PATCH /rec/{idRec}': ({ mandates }, { parameters, body }) => mandates.revise(parameters.idRec!, body),
  'GET /rec/{idRec}': ({ mandates }, { parameters, query }) => mandates.show(parameters.idRec!, query.txid),
  'GET /rec': windowed('RecConsultaInvalida', ({ mandates }, { query }) => {
    const fitting = mandates
      .list()
      .filter(
        ({ createdMs, status, locationId, body }) =>
          within(query, createdMs) &&
          (query.status === undefined || status === query.status) &&
          (query.locationPresente === undefined ||
            (query.locationPresente === 'true') === (locationId !== null)) &&
          (query.cpf === undefined || body.vinculo.devedor.cpf === query.cpf) &&
          (query.cnpj === undefined || body.vinculo.devedor.cnpj === query.cnpj),
      )
    return paged(query, fitting.map(mandates.showWhole), 'recs')
  }),
  'POST /solicrec': ({ mandates }, { body }) => mandates.ask(body),
  'PATCH /solicrec/{idSolicRec}': ({ mandates }, { parameters, body }) =>
    mandates.reviseAsk(parameters.idSolicRec!, body),
  'GET /solicrec/{idSolicRec}': ({ mandates }, { parameters }) => mandates.showAsk(parameters.idSolicRec!),
  'PUT /cobr/{txid}': ({ mandateCharges }, { parameters, body }) =>
    mandateCharges.put(parameters.txid!, body),
  'PATCH /cobr/{txid}': ({ mandateCharges }, { parameters }) => mandateCharges.cancel(parameters.txid!),
  'GET /cobr/{txid}': ({ mandateCharges }, { parameters }) => {
    const found = mandateCharges.find(parameters.txid!)
    return found === undefined
      ? refuse(404, 'CobRNaoEncontrado', 'Cobrança não encontrada para o txid informado.')
      : mandateCharges.show(found)
  },
  'GET /cobr': windowed('CobRConsultaInvalida', ({ mandateCharges, mandates }, { query }) => {
    const fitting = mandateCharges.all().filter(({ createdMs, idRec, status }) => {
      const { devedor } = mandates.find(idRec)!.body.vinculo
      return (
        within(query, createdMs) &&
        (query.idRec === undefined || idRec === query.idRec) &&
        (query.status === undefined || status === query.status) &&
        (query.cpf === undefined || devedor.cpf === query.cpf) &&
        (query.cnpj === undefined || devedor.cnpj === query.cnpj)
      )
    })
    return paged(query, fitting.map(mandateCharges.show), 'cobsr')
  }),
  'POST /cobr/{txid}/retentativa/{data}': ({ mandateCharges }, { parameters }) =>
    mandateCharges.retry(parameters.txid!, parameters.data!),

  'PUT /v3/gn/pix/{idEnvio}': ({ sends, webhooks, context }, { parameters, body }) => {
    const { chave } = body.pagador
    if (!context.receiver.chaves.includes(chave))
      return refuse(400, 'chave_invalida', 'A chave informada não faz referência à conta Efí autenticada')
    if (webhooks.find('pix', chave) === undefined)
      return refuse(400, 'webhook_invalido', 'A chave do pagador não tem webhook associado')
    if (sends.find(parameters.idEnvio!) !== undefined)
      return refuse(409, 'id_envio_duplicado', 'O id de envio informado já foi utilizado em outro pagamento')
    const sent = sends.send(parameters.idEnvio!, body.valor, body)
    if (isRefusal(sent)) return sent
    return {
      endToEndId: sent.endToEndId,
      idEnvio: sent.reference,
      valor: toValor(sent.cents),
      horario: { solicitacao: instant(sent.askedMs) },
      // Not the present state: the answer is made when the request is taken.
      status: 'EM_PROCESSAMENTO',
    }
  },
  'GET /v2/gn/pix/enviados/id-envio/{idEnvio}': ({ sends }, { parameters }) => {
    const sent = sends.find(parameters.idEnvio!)
    return sent === undefined
      ? refuse(404, 'PixEnviadoNaoEncontrado', 'Pix enviado não encontrado para o idEnvio informado.')
      : sentAtEfi(sent)
  },
  'GET /v2/gn/pix/enviados/{e2eId}': ({ sends }, { parameters }) => {
    const sent = sends.findBy(({ endToEndId }) => endToEndId === parameters.e2eId)
    return sent === undefined
      ? refuse(404, 'PixEnviadoNaoEncontrado', 'Pix enviado não encontrado para o e2eId informado.')
      : sentAtEfi(sent)
  },
  'GET /v2/gn/pix/enviados': windowed('PixEnviadoConsultaInvalida', ({ sends }, { query }) =>
    sends.list(query),
  ),
  'POST /v2/gn/webhook/reenviar': (bank, { body }) => {
    bank.resend(body.e2eids)
    return done(202)
  },
  'GET /v2/gn/infracoes': windowed('InfracoesConsultaInvalida', ({ meds }, { query }) => meds.list(query)),
  'POST /v2/gn/infracoes/{idInfracao}/defesa': ({ meds }, { parameters, body }) => {
    const defended = meds.defend(parameters.idInfracao!, body.justificativa)
    return isRefusal(defended) ? defended : done(201)
  },
  'POST /v2/gn/relatorios/extrato-conciliacao': ({ reports, context }, { body }) => {
    if (body.dataMovimento >= dayOf(context.clock.nowMs()))
      return refuse(
        400,
        'ExtratoConciliacaoConsultaInvalida',
        'A data do extrato deve ser anterior à data corrente',
      )
    const { id, askedMs } = reports.ask(body.dataMovimento, body.tipoRegistros)
    return { id, dataSolicitacao: instant(askedMs), status: 'AGUARDANDO_PROCESSAMENTO' }
  },
  'GET /v2/gn/relatorios/{id}': ({ reports }, { parameters }) => {
    const found = reports.fetch(parameters.id!)
    if (found === undefined) return refuse(404, 'NaoEncontrado', 'Recurso não encontrado')
    const { askedMs, text } = found
    if (text !== null) return { status: 200, body: text }
    const body = { id: parameters.id, dataSolicitacao: instant(askedMs), status: 'AGUARDANDO_PROCESSAMENTO' }
    return { status: 202, body }
  },

  'POST /banking/v2/pix': ({ sends, context }, { body, headers }) => {
    // Without a key each request is another payment.
    const reference = headers['x-id-idempotente'] ?? context.newId.uuid()
    const valor = typeof body.valor === 'number' ? body.valor.toFixed(2) : body.valor
    const known = sends.find(reference)
    if (known !== undefined && fingerprint(known.body) !== fingerprint(body))
      return refuse(422, 'RequisicaoInvalida', 'O id idempotente foi usado em outra requisição.')
    const sent = known ?? sends.send(reference, valor, body)
    if (isRefusal(sent)) return sent
    return {
      tipoRetorno: 'PROCESSADO',
      codigoSolicitacao: sent.requestId,
      endToEndId: sent.endToEndId,
      dataPagamento: dayOf(sent.askedMs),
      dataOperacao: dayOf(sent.askedMs),
    }
  },
  'GET /banking/v2/pix/{codigoSolicitacao}': ({ sends, context }, { parameters }) => {
    const sent = sends.findBy(({ requestId }) => requestId === parameters.codigoSolicitacao)
    return sent === undefined
      ? refuse(404, 'NaoEncontrado', 'Recurso solicitado não foi encontrado.')
      : sentAtInter(sent, context.receiver.conta)
  },

  'GET /banking/v2/extrato/completo': ({ book }, { query }) => statementAtInter(book, query),
  'GET /extratos/v1/conta-corrente/agencia/{agencia}/conta/{conta}': (
    { book, context },
    { parameters, query },
  ) =>
    Number(parameters.agencia) !== Number(context.receiver.agencia) ||
    parameters.conta !== context.receiver.conta
      ? refuse(404, 'NaoEncontrado', 'Conta não encontrada')
      : statementAtBb(book, query),
  'GET /conta-corrente/v4/extrato/{mes}/{ano}': ({ book, context }, { parameters, query }) =>
    query.numeroContaCorrente !== context.receiver.conta
      ? refuse(404, 'NaoEncontrado', 'Conta não encontrada')
      : statementAtSicoob(book, parameters, query),
  'GET /v2/gn/saldo': ({ book }) => ({ saldo: toValor(Math.max(book.availableCents(), 0)) }),
  'GET /banking/v2/saldo': ({ book }) => ({
    disponivel: book.availableCents() / 100,
    bloqueadoCheque: 0,
    bloqueadoJudicialmente: 0,
    bloqueadoAdministrativo: 0,
    limite: 0,
  }),

  'GET /pix/v2/pix-bb': windowed('PixConsultaInvalida', ({ payments, meds }, { query }) => {
    const { contestacaoPresente, chave, ...known } = query
    const list = payments.list({
      ...known,
      'paginacao.paginaAtual': '0',
      'paginacao.itensPorPagina': '100000',
    })
    const fitting = list.pix.filter(
      (pix: any) =>
        (contestacaoPresente === undefined ||
          (contestacaoPresente === 'true') === meds.isContested(pix.endToEndId)) &&
        (chave === undefined || pix.chave === chave),
    )
    return paged(query, fitting, 'pix')
  }),
}

const fingerprint = (body: unknown): string => createHash('sha256').update(JSON.stringify(body)).digest('hex')
