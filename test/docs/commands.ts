import type { Command } from 'commander'
import { commandLine } from '../../gateway/operator/command-line/program.ts'
import type { Language } from '../../gateway/problems/language.ts'

/** Every command with its arguments, and what it does: the help's own words, or their translation. */
export const commandRows = (language: Language): readonly (readonly [string, string])[] => {
  const nothing = async (): Promise<never> => Promise.reject(new Error('nothing runs'))
  const program = commandLine({ start: nothing, verify: nothing, restore: nothing }, () => '', '')
  return leaves(program, '').map(([name, command]) => {
    const places = command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    )
    const meaning = language === 'pt' ? inPortuguese[name] : command.description()
    if (meaning === undefined) throw new Error(`${name} has no meaning in Portuguese`)
    return [[name, ...places].join(' '), meaning]
  })
}

const leaves = (command: Command, path: string): readonly (readonly [string, Command])[] =>
  command.commands
    // What shells call, and what needs no word.
    .filter((child) => !['complete', 'help'].includes(child.name()))
    .flatMap((child) => {
      const name = `${path}${child.name()}`
      return child.commands.length === 0 ? [[name, child] as const] : leaves(child, `${name} `)
    })

const inPortuguese: Readonly<Record<string, string>> = {
  start: 'inicia o serviço (as configurações são variáveis de ambiente)',
  verify:
    'lê cada byte de um diretório de dados, aponta cada dano e confere se estado, razão e índices batem com o journal',
  backup: 'copia o diretório de dados do serviço em execução, verifica a cópia e diz o que ela contém',
  restore:
    'cria um diretório de dados a partir de um backup completo e de incrementos, até o fim deles ou até um ponto anterior',
  export: 'grava as transações de uma empresa em CSV',
  'archive status': 'até onde cada shard está compactado, quanto isso ocupa e o que há de errado',
  'archive run': 'compacta agora as entradas que têm idade para isso; Ctrl-C sai, e o serviço continua',
  'companies create': 'cria uma empresa, com uma conta no Sandbox e outra em Produção',
  'companies list': 'lista as empresas',
  'companies get': 'mostra uma empresa',
  'companies update':
    'altera uma empresa; o que não é informado fica como está. As tarifas valem para cobranças criadas depois',
  'companies checkout':
    'altera a aparência das páginas de pagamento da empresa, o portal e os limites de cartões; um texto vazio remove o que havia',
  'companies forget-payers':
    'esquece, depois de tantos anos, o que se registra dos pagadores dela a partir de agora',
  'companies suspend': 'responde 401 às chaves dela até que seja reativada; o trabalho agendado continua',
  'companies resume': 'volta a aceitar as chaves dela',
  'keys create': 'cria uma chave de API; o segredo aparece só desta vez',
  'keys list': 'lista as chaves',
  'keys update': 'altera o nome ou as redes de uma chave, ou retira escopos',
  'keys roll':
    'cria um novo segredo com os mesmos escopos, que aparece só desta vez; o antigo vale por mais um tempo',
  'people invite':
    'cria um link com o qual uma pessoa entra em uma empresa; vale por 24 horas, uma única vez',
  'people list': 'lista as pessoas com os seus papéis',
  'people reset-password':
    'cria um link com o qual uma pessoa define uma nova senha; vale por 30 minutos, uma única vez, e o segundo fator continua o mesmo',
  'people reset-second-factor': 'remove os segundos fatores de quem os perdeu; as sessões da pessoa terminam',
  'people erase':
    'apaga uma pessoa, ou alguém que só foi convidado: ninguém mais consegue ler como se chamava e de onde veio',
  'links list': 'lista os links de pagamento, do mais novo ao mais antigo',
  'links create': 'cria um link de pagamento e mostra o endereço',
  'links show': 'mostra um link de pagamento com o que foi pago por ele',
  'links deactivate': 'deixa de receber novos pagamentos pelo link; páginas já abertas ainda podem ser pagas',
  'suspense list': 'lista o dinheiro não identificado, do mais novo ao mais antigo',
  'suspense show': 'mostra dinheiro não identificado e o que foi feito dele',
  'reconciliations list':
    'lista os dias cujos livros foram comparados, da comparação mais nova à mais antiga',
  'reconciliations show': 'mostra um dia com o que não confere',
  'checkout attest':
    'lista os scripts, estilos e políticas das páginas de pagamento, com assinatura, para o PCI DSS',
  'tickets list': 'lista os chamados de suporte, o próximo a responder primeiro',
  'tickets show': 'mostra um chamado com as suas mensagens',
  'tickets reply': 'responde a um chamado; um encerrado reabre',
  'tickets close': 'encerra um chamado',
  'keys revoke': 'revoga uma chave, na hora e para sempre',
  'connections create': 'cria uma conexão, como rascunho; depois verifique-a e ative-a',
  'connections list': 'lista as conexões',
  'connections providers': 'lista os bancos e adquirentes disponíveis e o que cada um pede',
  'connections get': 'mostra uma conexão, sem os seus segredos',
  'connections verify': 'abre a conexão e pede ao provedor um token e algo inofensivo',
  'connections activate': 'deixa novas cobranças passarem por ela',
  'connections suspend':
    'não deixa nada novo passar por ela até que seja retomada; devoluções continuam passando',
  'connections resume': 'volta a deixar novas cobranças passarem por ela',
  'connections rotate':
    'dá a ela outras credenciais, que precisam funcionar; as anteriores podem ser retomadas por 24 horas',
  'connections restore': 'retoma as credenciais que ela tinha antes da troca',
  'connections retire': 'encerra a conexão para sempre; o que entrou por ela ainda é devolvido por ela',
  'webhooks create': 'registra um endpoint; o segredo aparece só desta vez',
  'webhooks list': 'lista os endpoints',
  'webhooks update': 'altera um endpoint; as próximas tentativas vão para a nova URL',
  'webhooks disable': 'não envia mais nada até que seja habilitado; o que espera por ele é cancelado',
  'webhooks enable': 'envia o que acontecer a partir de agora',
  'webhooks delete': 'não envia mais nada; as entregas dele continuam legíveis',
  'webhooks rotate':
    'cria um novo segredo, mostrado só desta vez, que assina todas as tentativas a partir de agora',
  'webhooks test': 'envia um evento de teste a um endpoint',
  'webhooks deliveries': 'lista as entregas de um endpoint, as mais recentes primeiro',
  'webhooks failures': 'lista as entregas abandonadas: de um endpoint, de uma empresa ou todas',
  'webhooks resend': 'reenvia uma entrega encerrada',
  'webhooks retry': 'faz agora a próxima tentativa de uma entrega não encerrada',
  'webhooks replay': 'envia a um endpoint os eventos de um período, inclusive os que ele nunca recebeu',
  'sandbox pay': 'paga uma cobrança PIX ou um boleto',
  'sandbox clock': 'mostra o relógio, avança-o ou o devolve à hora real',
  trigger: 'faz um evento acontecer no Sandbox, com cobranças e pagamentos próprios',
  listen: 'mostra os eventos de uma empresa conforme acontecem e os encaminha a um servidor seu',
  logs: 'mostra as requisições da API conforme este nó responde',
  'cluster status': 'como estão os nós, quem é dono de cada shard e o atraso dos demais',
  'cluster drain': 'entrega a outros todos os shards de um nó; ele não recebe nenhum até reiniciar',
  'cluster move': 'entrega um shard a um nó e o deixa lá',
  'cluster finalize': 'conclui uma atualização: os nós gravam o que só a nova versão lê, e não há mais volta',
  'cluster remove': 'tira um nó de vez: ele entrega os shards, encerra e não inicia de novo',
  'cluster rolling-restart':
    'faz um nó depois do outro entregar os shards, encerrar e ser iniciado por quem vigia o processo',
  completion: 'imprime o que faz um shell completar comandos: bash, zsh, fish ou powershell',
}
