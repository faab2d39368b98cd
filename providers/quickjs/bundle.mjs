// bundle.mjs SUCRASE-DIST OUT.js - the part of sucrase that removes TypeScript's types, as one function
// of the prelude's kind: it gets `host` and adds host.eraseTypes(text).
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const [folder, output] = process.argv.slice(2);
const modules = new Map();

function add(name) {
    if (modules.has(name))
        return;
    let file = `${name}.js`;
    let text;
    try {
        text = readFileSync(join(folder, file), 'utf8');
    } catch {
        file = `${name}/index.js`;
        text = readFileSync(join(folder, file), 'utf8');
    }
    modules.set(name, '');
    const resolved = text.replace(/\brequire\('(\.[^']+)'\)/g, (_, path) => {
        const target = normalize(join(dirname(file), path));
        add(target);
        return `require(${JSON.stringify(target)})`;
    });
    modules.set(name, resolved);
}

const entries = ['parser', 'NameManager', 'HelperManager', 'TokenProcessor', 'transformers/RootTransformer'];
entries.forEach(add);

const bodies = [...modules].map(([name, text]) =>
    `${JSON.stringify(name)}: function (exports, require) {\n${text}\n}`);
writeFileSync(output, `(function (host) {
const modules = {
${bodies.join(',\n')}
};
const loaded = {};
const require = (name) => {
    if (!loaded[name]) {
        loaded[name] = {};
        modules[name](loaded[name], require);
    }
    return loaded[name];
};
const { parse } = require('parser');
const NameManager = require('NameManager').default;
const { HelperManager } = require('HelperManager');
const TokenProcessor = require('TokenProcessor').default;
const RootTransformer = require('transformers/RootTransformer').default;
host.eraseTypes = (text) => {
    const { tokens, scopes } = parse(text, false, true, false);
    const nameManager = new NameManager(text, tokens);
    const helperManager = new HelperManager(nameManager);
    const tokenProcessor = new TokenProcessor(text, tokens, false, true, helperManager);
    const context = { tokenProcessor, scopes, nameManager, importProcessor: null, helperManager };
    const options = { transforms: ['typescript'], disableESTransforms: true, keepUnusedImports: true };
    return new RootTransformer(context, options.transforms, false, options).transform().code;
};
})
`);
