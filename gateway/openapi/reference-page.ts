import { type Language, languageTags } from '../problems/language.ts'

/** The paths of the files of the page. */
export type ReferenceAssets = Readonly<Record<'theme' | 'scalar' | 'start', string>>

/** The page that shows the OpenAPI document in one language, with links to what programs read. */
export const referencePage = (language: Language, assets: ReferenceAssets): string => {
  const words = texts[language]
  const other = language === 'en' ? 'pt' : 'en'
  const document = language === 'en' ? '/openapi.json' : `/openapi.json?lang=${language}`
  const forKeys = language === 'en' ? '?audience=keys' : `?audience=keys&amp;lang=${language}`
  return `<!doctype html>
<html lang="${languageTags[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${words.title} · Payments</title>
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="stylesheet" href="${assets.theme}">
<link rel="alternate" hreflang="${languageTags[other]}" href="/docs/${other}/reference">
</head>
<body>
<header class="site">
<a class="brand" href="/docs/${language}">Payments</a>
<nav class="files" aria-label="${words.files}">
<a href="${document}" title="${words.everything}">OpenAPI</a>
<a href="/openapi.json${forKeys}" title="${words.onlyKeys}">${words.forKeys}</a>
<a href="/postman.json" title="${words.collection}">Postman</a>
</nav>
<nav>
<a href="/docs/${language}">${words.documentation}</a>
<a href="/docs/${other}/reference" hreflang="${languageTags[other]}" lang="${languageTags[other]}" data-language>${texts[other].name}</a>
</nav>
</header>
<noscript>${words.needsScript} <a href="${document}">/openapi.json</a>.</noscript>
<div id="reference"></div>
<script src="${assets.scalar}"></script>
<script src="${assets.start}" data-document="${document}" data-server="${words.server}"></script>
</body>
</html>
`
}

const texts = {
  en: {
    name: 'English',
    title: 'API reference',
    documentation: 'Documentation',
    files: 'For programs',
    everything: 'OpenAPI 3.1, with the operations of the dashboard',
    forKeys: 'OpenAPI for keys',
    onlyKeys: 'OpenAPI 3.1 with what API keys may call: generate clients from it',
    collection: 'Postman collection: requests that work against the Sandbox',
    needsScript: 'This page needs JavaScript. The document that it shows is at',
    server: 'This service. The key decides the environment.',
  },
  pt: {
    name: 'Português',
    title: 'Referência da API',
    documentation: 'Documentação',
    files: 'Para programas',
    everything: 'OpenAPI 3.1, com as operações do painel',
    forKeys: 'OpenAPI para chaves',
    onlyKeys: 'OpenAPI 3.1 com o que as chaves de API podem chamar: gere clientes a partir dele',
    collection: 'Coleção do Postman: requisições que funcionam no Sandbox',
    needsScript: 'Esta página precisa de JavaScript. O documento que ela mostra está em',
    server: 'Este serviço. A chave decide o ambiente.',
  },
} as const
