/** A word or phrase that gave way to another. `isStem` covers what begins with it; `only` says where it is banned. */
export type Banned = {
  readonly say: string
  readonly not: RegExp
  /** Files, by their beginning; everywhere without it. */
  readonly only?: readonly string[]
}

/** Where people read: pages, mails, papers, errors, and the documentation. */
const dashboard = ['gateway/dashboard/']
const everywhere = undefined

/** Not followed or preceded by a letter, accents included, which `\b` does not know. */
const word = (pattern: string): RegExp => new RegExp(`(?<![\\p{L}-])(?:${pattern})(?![\\p{L}-])`, 'iu')

const banned = (not: RegExp, say: string, only: readonly string[] | undefined = everywhere): Banned =>
  only === undefined ? { not, say } : { not, say, only }

/**
 * One Portuguese word for each thing, in texts, mails, errors, papers and documentation. The page `docs/pt/glossary.md` explains
 * them; this list holds them.
 *
 * | Idea | Word |
 * |---|---|
 * | payment divided among parties | split (regra de split, repasse, recebedor) |
 * | money of a sale reaches the balance | liquidação, liquidar |
 * | money goes back to the payer, by the merchant | estorno, estornar |
 * | money goes back by the bank, as a MED | devolução |
 * | bank, PSP or acquirer that is talked to | provedor; of cards: a adquirente |
 * | who is paid by a transfer | favorecido; of a withdrawal: carteira, destinatário |
 * | who pays | pagador |
 * | who asked for something to be approved | solicitante; solicitar |
 * | the roles | Proprietário, Administrador, Financeiro, Desenvolvedor, Atendimento, Somente leitura |
 * | WebAuthn's passkey | chave de acesso |
 */
export const portuguese: readonly Banned[] = [
  banned(word('divis(?:ão|ões) (?:de|do) pagamentos?|regras? de divisão'), 'split, regra de split'),
  banned(word('divisão'), 'split', dashboard),
  banned(word('liquidantes?'), 'provedor'),
  banned(word('reembols\\p{L}+'), 'estorno, estornar'),
  banned(word('(?:o|ao|do|no|um|pelo|seu|este|esse) adquirente'), 'a adquirente'),
  banned(word('benefici[aá]ri[oa]s?'), 'favorecido', [...dashboard, 'gateway/mail/', 'gateway/problems/']),
  banned(word('passkeys?'), 'chave de acesso', ['gateway/dashboard/texts/pt']),
  banned(
    word('quem (?:opera|administra|paga|recebe|pediu|solicita)'),
    'operador do serviço, administrador, pagador, favorecido, solicitante',
    dashboard,
  ),
  banned(word('quem opera o serviço'), 'o operador do serviço'),
  banned(word('donos? d[ao]s? (?:conta|empresa)'), 'proprietário'),
  banned(word('administração'), 'administrador, Administrador', [
    ...dashboard,
    'gateway/mail/',
    'docs/pt/people',
  ]),
  // European Portuguese.
  banned(word('gerir|geria|gerindo|gerid[oa]s?|quem gere'), 'gerenciar', ['gateway/', 'docs/pt/']),
  banned(word('utilizador(?:es)?'), 'usuário'),
  banned(word('ficheiros?'), 'arquivo'),
  banned(word('ecrãs?'), 'tela'),
  banned(word('telemóve(?:l|is)'), 'celular'),
  banned(word('palavras?-passe'), 'senha'),
  banned(word('contact(?:o|os|ar)'), 'contato'),
  banned(word('registos?'), 'registro'),
  banned(word('aced(?:er|e|em)'), 'acessar'),
  banned(word('partilh\\p{L}+'), 'compartilhar'),
  banned(word('equipas?'), 'equipe'),
  banned(word('eliminar'), 'excluir'),
  banned(word('base de dados'), 'banco de dados'),
  banned(word('endereços? de correio'), 'e-mail'),
  // Nobody says these.
  banned(word('não (?:tem|há) volta'), 'não pode ser desfeito'),
  banned(
    word('afroux\\p{L}+|brand[oa]s?|menos restritiv[oa]s?|mais rígid[oa]s?'),
    'aumento de limite, limite reduzido',
  ),
  banned(word('ouv(?:e|em|ir|irá)'), 'receber', [
    'gateway/dashboard/',
    'docs/pt/webhooks',
    'docs/pt/dashboard',
  ]),
  banned(word('gire|girar a chave'), 'trocar, renovar'),
  banned(word('avuls[oa]s?'), 'sem cobrança'),
  banned(word('nem um instante'), 'agora', dashboard),
  banned(word('que é nosso|são nossos'), 'do painel', dashboard),
  banned(word('a cadeia está intacta'), 'registros íntegros'),
  banned(word('só (?:vê|olha)'), 'somente visualiza'),
  banned(word('fica com (?:os )?centavos'), 'recebe a diferença de centavos'),
  banned(word('vazi[oa],? (?:cobra|começa|permite|sai)'), 'deixe em branco para …', dashboard),
  banned(word('nenhum marcado'), 'sem seleção'),
  banned(word('sai do saldo'), 'total debitado', dashboard),
  banned(word('retirar a confiança'), 'remover dos confiáveis'),
  banned(word('em toda parte'), 'delete it', dashboard),
]

/** The same for English. */
export const english: readonly Banned[] = [
  banned(word('whoever'), 'the operator, an admin, the requester', ['gateway/']),
  banned(word('somebody'), 'another person, an admin, or who it is', ['gateway/']),
  banned(word('loosen(?:s|ed)?|looser(?=[ ,])'), 'increase'),
  banned(word('only looks'), 'view only'),
  banned(word('(?:PIX|TED|crypto|stablecoins) by (?:day|night)'), 'per day, per night'),
  banned(word('present (?:password|secret|plan|one|address)'), 'current'),
  banned(word('sign no operations|confirms? no operations'), 'can’t approve or sign operations'),
  banned(word('go(?:es)? on working'), 'stay active', dashboard),
  banned(word('asked for by|was asked for'), 'requested', ['gateway/']),
  banned(word('hears?|heard'), 'receive', [
    'gateway/dashboard/',
    'gateway/problems/',
    'docs/en/webhooks',
    'docs/en/dashboard',
  ]),
  banned(word('anew'), 'again', [...dashboard, 'gateway/problems/', 'gateway/mail/']),
  banned(word('mend(?:ed|s)?'), 'fix', [...dashboard, 'gateway/problems/', 'gateway/mail/']),
  banned(word('counts? (?:once|from|at once|in 24|24 h|a day)'), 'takes effect', [
    ...dashboard,
    'gateway/problems/',
    'gateway/mail/',
  ]),
  banned(word('the chain is (?:intact|broken)'), 'records intact'),
  banned(word('an error that is ours'), 'something went wrong in the dashboard'),
  banned(word('dearer'), 'upgrade', dashboard),
  banned(word('typeable line'), 'boleto number, digitable line'),
  banned(word('takes? no part'), 'is not included'),
  banned(
    word('none chosen|empty (?:charges|allows|begins|:)'),
    'with none selected; leave blank to …',
    dashboard,
  ),
  banned(word('not a moment longer'), 'replace now'),
]

/** What the API calls things, which no shop owner has to know: pages for developers may say it. */
export const developersWords = word('externalId|splitRuleId|txHash|PSP|ids?|payload')
