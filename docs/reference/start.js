const { document: documentUrl, server } = document.currentScript.dataset

// Light or dark, as it was chosen in the rest of the documentation; a choice made here holds there.
const chosen = localStorage.getItem('theme')
if (chosen !== null) localStorage.setItem('colorMode', chosen)
new MutationObserver(() => {
  const mode = localStorage.getItem('colorMode')
  if (mode === 'light' || mode === 'dark') localStorage.setItem('theme', mode)
}).observe(document.body, { attributeFilter: ['class'] })

// Where Scalar's Portuguese does not fit its place, or capitalizes as English does.
const translations = document.documentElement.lang.startsWith('pt') && {
  actions: { copyAsMarkdown: 'Copiar Markdown' },
  apiClient: { authSelector: { selectedType: 'Tipo: {type}' } },
  authentication: { required: 'Exige autenticação', optional: 'Autenticação opcional' },
  clientLibraries: { heading: 'Bibliotecas' },
  download: { openapi: 'Baixar o documento OpenAPI' },
  operation: {
    pathParameters: 'Parâmetros do caminho',
    queryParameters: 'Parâmetros da consulta',
    requestBody: 'Corpo da requisição',
    testRequest: 'Testar requisição',
  },
  response: { exampleResponses: 'Exemplos de respostas', noBody: 'Sem corpo', showSchema: 'Ver schema' },
  // A default is called the same.
  schema: { pattern: 'Expressão regular', copyPattern: 'Copiar a expressão' },
}

// The other language at the same place.
const otherLanguage = document.querySelector('[data-language]')
otherLanguage.addEventListener('click', () => {
  otherLanguage.hash = location.hash
})

Scalar.createApiReference('#reference', {
  url: documentUrl,
  servers: [{ url: location.origin, description: server }],
  localization: {
    locale: document.documentElement.lang.split('-')[0],
    direction: 'ltr',
    ...(translations && { translations }),
  },
  theme: 'none',
  withDefaultFonts: false,
  documentDownloadType: 'json',
  operationTitleSource: 'summary',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  // A sample in a browser's JavaScript would be a key in a browser.
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: {
    c: true,
    clojure: true,
    csharp: ['restsharp'],
    dart: true,
    fsharp: true,
    http: true,
    java: ['asynchttp', 'okhttp', 'unirest'],
    js: true,
    julia: true,
    kotlin: true,
    node: ['axios', 'ofetch', 'undici'],
    objc: true,
    ocaml: true,
    php: ['guzzle', 'laravel'],
    powershell: true,
    python: ['python3', 'httpx_sync', 'httpx_async', 'aiohttp'],
    r: true,
    rust: true,
    shell: ['httpie', 'wget'],
    swift: true,
  },
  // Nothing leaves this host: no statistics, no assistant, no editor and no proxy of Scalar's.
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  proxyUrl: '',
  // A key is for one visit.
  persistAuth: false,
})
