// Writes cases.json, npm's own answers, next to this file:
//   npm install --prefix /tmp/semver semver@7
//   NODE_PATH=/tmp/semver/node_modules node generate.cjs
const semver = require('semver')
const fs = require('node:fs')
const path = require('node:path')

const versions = `0.0.0 0.0.1 0.0.2-0 0.0.3 0.1.0 0.1.2 0.1.2-beta.2 0.2.0 0.2.0-0 0.2.0-rc.1 0.9.9 1.0.0 1.0.0-0
1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0+build.5 1.0.1
1.2.0 1.2.0-0 1.2.2 1.2.3 1.2.3-0 1.2.3-beta 1.2.3-beta.4 1.2.3-pre 1.2.4 1.2.4-alpha 1.2.9 1.3.0 1.3.0-0 1.3.0-beta
1.8.1 2.0.0 2.0.0-0 2.0.0-alpha 2.0.0-rc.2 2.1.3 2.3.4 2.4.5 3.0.0 3.0.0-0 3.1.4 10.0.0 2026.108.0 2026.1130.0
1.0.0-x-y-z.-- 9007199254740991.0.0`.split(/\s+/)

const invalid = ['', '1', '1.2', '1.2.3.4', 'v1.2.3', '=1.2.3', ' 1.2.3', '1.2.3 ', '01.2.3', '1.02.3', '1.2.03', '1.2.x', '1.2.-3',
  '1.2.3-', '1.2.3-01', '1.2.3-a..b', '1.2.3-a_b', '1.2.3+', '1.2.3+a..b', 'latest', '^1.2.3', '9007199254740992.0.0',
  '1.2.99999999999999999999', '1.2.3-é', '1.2.3\n', '-1.2.3', '1.2.3-' + 'a'.repeat(251), 'x', '*']

const partials = ['0', '1', '2', 'x', '*', 'X', '0.0', '0.1', '0.x', '1.2', '1.x', '2.*', '1.0', '0.0.0', '0.0.1', '0.0.x', '0.1.2',
  '0.1.x', '1.0.0', '1.2.3', '1.2.x', '1.x.x', '1.x.3', 'x.1', 'x.1.2', '2.0.0', '0.0.2-0', '0.1.2-beta.2', '0.2.0-rc.1', '1.0.0-alpha', '1.0.0-beta.2',
  '1.2.3-0', '1.2.3-beta', '1.2.3-beta.4', '2.0.0-rc.2', '1.2.x-beta', '1.2-beta', '1.2.3+build', '1.2.3-beta+build.7', '01.2.3', '1.2.3-01',
  '2026.1130', '9007199254740991', '9007199254740991.0.0', '9007199254740992.0.0', 'v1.2', 'v1.2.3', 'blerg', '']
const operators = ['', '=', '>', '>=', '<', '<=', '~', '~>', '^', '> ', '>= ', '< ', '~ ', '^ ', '~> ', '= ', '>v', '^v', '~=', '^=', '==', '=>', '!=', '=v ']

const ranges = new Set()
for (const o of operators) for (const p of partials) ranges.add(o + p)
const ends = ['1', '1.2', '1.2.3', '1.2.3-beta', '1.x', '*', '2.0.0', '2.0.0-rc.2', 'v2', '0.1.2']
for (const a of ends) for (const b of ends) ranges.add(`${a} - ${b}`)
for (const r of `>=1.2.3 <2.0.0|>=1.2.3-beta <1.2.4|>1.2.3-beta <2.0.0-rc.2|>=1.0.0-alpha <2|^1.2 ^1.2.4|~1.2 || ^2|1.x || >=2.5.0 || 5.0.0 - 7.2.3|
||  ||1.2.3|1.2.3||1.2.3|1.2.3 || blerg| || |>=1 <2 || 3.1.4|1.2.3 1.2.3|>1 <1|>*|<*|<=*|>=*|^*|~*|=*|>=1.2.3<2|>=1.2.3, <2|1.2.3,2.0.0|
1.2.3 -2.0.0|1.2.3- 2.0.0|1 - 2 - 3|1.2.3 - 2.0.0 <1.5.0|<1.5.0 1.2.3 - 2.0.0|  >=1.2.3   <2.0.0  |>=  1.2.3|> =1.2.3|>  1.2.3  <  2.0.0|^ 1.2 ^ 1|~ > 1.2.3|
>=09090|>=09090-0|<1.2.3-|1.2.3 foo|latest|next|git+https://example.com/a.git|file:../a|workspace:*|npm:a@1|1.2.3.4|^1.2.3.4|>|<|>=|=|~|^|v|-|.|1.|.1|1..2|1.2.3||latest|
>=0.0.0|>=0.0.0-0|<0.0.0-0|<0.0.0-0 || 1.2.3|>=0.0.0-0 <1|^0.0.0-0|1.2.3+a.b - 2.0.0+c|>=1.0.0+a|1.0.0+build.5|^1.2.3+b1 <1.3.0+x|*||1.2.3-beta|x.x.x|x.x|X.*.x|
^1.2.3-beta ^1.2.3|>=1.2.3-beta.4 <=1.2.3|<=1.2.3-beta|>1.2.3-beta|1.2.3-beta || 2.0.0-alpha|\t>=1.2.3\n<2|2026.x|^2026.108.0`.replace(/\n(?=[^<])/g, '').split('|')) ranges.add(r)
for (const r of ['1.2.3 || 2.0.0', '^1 || ^2', '<0.0.0-0 || 1.2.3', '1.2.3 || latest', '||', '|| 1.2.3', '1.2.3 ||', '1.2.3 || || 2.0.0', '1 | 2', '^1.2.3-beta || ^2', '\t>=1.2.3\n<2']) ranges.add(r)

const sorted = [...versions].sort((a, b) => semver.compare(a, b))
const out = {
  semver: require('semver/package.json').version,
  invalid: invalid.filter((v) => !semver.valid(v) || semver.clean(v) !== v || v.trim() !== v),
  order: sorted.map((v, i) => ({ version: v, equal_to_previous: i > 0 && semver.compare(v, sorted[i - 1]) === 0 })),
  ranges: [...ranges].map((range) => ({
    range,
    valid: semver.validRange(range) !== null,
    matches: versions.filter((v) => semver.satisfies(v, range)),
  })),
}
const lines = (list) => '[\n' + list.map((x) => '  ' + JSON.stringify(x)).join(',\n') + '\n ]'
fs.writeFileSync(path.join(__dirname, 'cases.json'),
  `{"semver": ${JSON.stringify(out.semver)},\n "invalid": ${lines(out.invalid)},\n "order": ${lines(out.order)},\n "ranges": ${lines(out.ranges)}}\n`)
