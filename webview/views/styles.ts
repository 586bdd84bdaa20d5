/** Only VS Code's own variables give colours, so every theme works; what a theme lacks is mixed from what it has. */
export const styles = `
  :root {
    --quiet: var(--vscode-descriptionForeground, color-mix(in srgb, var(--text) 70%, transparent));
    --hairline: var(--vscode-contrastBorder, var(--vscode-sideBarSectionHeader-border, color-mix(in srgb, var(--text) 15%, transparent)));
    --faint: color-mix(in srgb, var(--text) 10%, transparent);
    /* A host may give no variables at all: parts of a bar still have to differ. */
    --blue: var(--vscode-charts-blue, #3794ff);
    --green: var(--vscode-charts-green, #89d185);
    --purple: var(--vscode-charts-purple, #b180d7);
    --red: var(--vscode-charts-red, #f14c4c);
    --yellow: var(--vscode-charts-yellow, #cca700);
    --text: var(--vscode-foreground, CanvasText);
    --pytorch: var(--blue);
    /* Not charts-orange: some themes have it nearly black (it follows the minimap's highlight). */
    --orange: color-mix(in oklab, var(--yellow) 65%, var(--red));
    --paper: var(--orange);
    --changed: var(--vscode-settings-modifiedItemIndicator, var(--blue));
    --edge: var(--vscode-contrastBorder, transparent);
    --gap: 12px;
  }
  /* The browser's own parts of inputs and lists. */
  .vscode-dark, .vscode-high-contrast { color-scheme: dark; }
  .vscode-light, .vscode-high-contrast-light { color-scheme: light; }
  body { padding: 0; font-family: var(--vscode-font-family); font-size: var(--vscode-font-size, 13px); color: var(--text); line-height: 1.4; }
  main { margin: 0 var(--gap) 24px; min-width: 190px; max-width: 720px; container-type: inline-size; font-variant-numeric: tabular-nums; }
  h1, h2, h3, p, ul { margin: 0; padding: 0; }
  ul { list-style: none; }
  code { font-family: var(--vscode-editor-font-family); font-size: 0.95em; overflow-wrap: anywhere; background: none; padding: 0; color: inherit; }
  svg { display: block; overflow: visible; }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .quiet { color: var(--quiet); }

  /* Buttons look like text until they are pointed at: the panel is mostly values, and most values lead somewhere. */
  button { font: inherit; color: inherit; background: none; border: none; padding: 0; cursor: pointer; text-align: inherit; }
  button.link { color: var(--vscode-textLink-foreground, LinkText); }
  button.link.plain { color: inherit; }
  button.link:hover { text-decoration: underline; color: var(--vscode-textLink-activeForeground, var(--vscode-textLink-foreground, LinkText)); }
  :focus-visible { outline: 1px solid var(--vscode-focusBorder, Highlight); outline-offset: 1px; }

  header { padding: 10px 0 12px; }
  header > p + p, .verdict + p { margin-top: 8px; }
  .title { display: flex; gap: 8px; align-items: flex-start; justify-content: space-between; }
  h1 { font-size: 1.1em; font-weight: 600; min-width: 0; overflow-wrap: anywhere; }
  h1 button { font-weight: inherit; }
  .switch { display: inline-flex; flex: none; border: 1px solid var(--hairline); border-radius: 3px; font-size: 0.85em; }
  .switch button { padding: 0 6px; color: var(--quiet); }
  .switch button[aria-pressed='true'] { color: var(--text); background: var(--faint); font-weight: 600; }
  .runs { padding-top: 10px; }
  .runs label { display: flex; gap: 8px; align-items: center; }
  .runs select { max-width: none; flex: 1 1 0; }
  .verdict { margin-top: 10px; }
  .verdict > p + p, .verdict > .gauge { margin-top: 3px; }
  .verdict.changed { border-inline-start: 2px solid var(--changed); padding-inline-start: 8px; margin-inline-start: -10px; }
  .row { display: inline-flex; flex-wrap: wrap; gap: 0 10px; }
  .over { color: var(--quiet); font-size: 0.92em; }
  .big { display: flex; gap: 6px; align-items: flex-start; font-size: 1.25em; font-weight: 600; line-height: 1.3; text-wrap: balance; }
  .total strong { font-size: 1.1em; font-weight: 600; }
  .tone { flex: none; width: 16px; height: 16px; margin-top: 3px; fill: none; stroke: currentColor; stroke-width: 2; color: var(--sign); }
  .fits.fits, .tone.fits { --sign: var(--vscode-testing-iconPassed, var(--green)); }
  .fits.tight, .tone.tight { --sign: var(--vscode-editorWarning-foreground, var(--yellow)); }
  .fits.over, .tone.over { --sign: var(--vscode-errorForeground, var(--red)); }
  /* Signs in a table are thin: darker on light themes, lighter on dark ones. */
  span.fits { font-weight: 700; color: color-mix(in oklab, var(--sign) 60%, var(--text)); }
  .gauge { width: 100%; height: 10px; }
  .verdict > .gauge + p { margin-top: 5px; }
  .gauge .level { fill: var(--pytorch); }
  .gauge .range { fill: var(--text); opacity: 0.75; }
  .end { fill: var(--text); }
  .picker { display: inline-flex; align-items: center; gap: 4px; margin-top: 4px; padding: 1px 4px 1px 8px; min-height: 22px; border-radius: 2px; color: var(--vscode-dropdown-foreground); background: var(--vscode-dropdown-background); border: 1px solid var(--vscode-dropdown-border, var(--edge)); }
  .picker:hover { background: var(--vscode-list-hoverBackground, var(--vscode-dropdown-background)); }
  .chevron { width: 14px; height: 14px; fill: none; stroke: currentColor; stroke-width: 1.4; }

  /* What is scrolled away is not laid out: a what-if redraws within one frame. */
  .section { content-visibility: auto; contain-intrinsic-size: auto 300px; border-top: 1px solid var(--hairline); margin: 0 calc(-1 * var(--gap)); padding: 0 var(--gap); }
  summary { display: flex; align-items: baseline; gap: 6px; padding: 5px 0; cursor: pointer; list-style: none; }
  summary::-webkit-details-marker { display: none; }
  summary::before { content: ''; flex: none; width: 5px; height: 5px; margin: 0 3px 1px 1px; border: solid currentColor; border-width: 0 1.2px 1.2px 0; transform: rotate(-45deg); align-self: center; }
  details[open] > summary::before { transform: rotate(45deg); margin-bottom: 4px; }
  h2 { font-size: 0.85em; font-weight: 700; text-transform: uppercase; letter-spacing: 0.02em; white-space: nowrap; color: var(--vscode-sideBarSectionHeader-foreground, inherit); }
  .aside { color: var(--quiet); font-size: 0.92em; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .content { padding-bottom: 12px; }
  .content > .quiet { margin-top: 8px; font-size: 0.92em; }
  .lead { margin-bottom: 6px; }
  h3 { font-size: 0.92em; font-weight: 600; margin: 12px 0 5px; }

  /* One grid for all rows of a list, so that columns are as wide as their widest value and no wider. */
  .facts { display: grid; grid-template-columns: minmax(0, max-content) minmax(min-content, 1fr) auto; column-gap: 8px; margin: 0 calc(-1 * var(--gap)); }
  .facts > li, .fact { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: baseline; }
  .fact, .what-if { box-sizing: border-box; padding: 1px var(--gap); min-height: 22px; }
  .facts > li.what-if { align-items: center; min-height: 28px; border-inline-start: 2px solid transparent; padding-inline-start: calc(var(--gap) - 2px); }
  .what-if.changed { border-inline-start-color: var(--changed); }
  .what-if.changed .label { font-weight: 600; }
  .fact .label, .what-if .label { color: var(--quiet); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .what-if.changed .label { color: inherit; }
  button.fact:hover { background: var(--vscode-list-hoverBackground); outline: 1px dashed var(--vscode-contrastActiveBorder, transparent); outline-offset: -1px; }
  .letter { font-family: var(--vscode-editor-font-family); font-style: italic; padding-inline-start: 2px; }
  .unit { color: var(--quiet); }
  .fact .value { white-space: nowrap; }
  .run .fact .value { white-space: normal; }
  .mark { font-size: 0.88em; color: var(--quiet); white-space: nowrap; justify-self: end; text-align: end; max-width: 130px; overflow: hidden; text-overflow: ellipsis; }
  button.fact .mark, button.mark.link { color: var(--vscode-textLink-foreground, LinkText); }
  button.mark.reset { color: var(--text); border-radius: 3px; padding: 0 4px; border: 1px solid var(--hairline); }
  button.mark.reset:hover { background: var(--vscode-list-hoverBackground); }
  .control { display: flex; align-items: center; gap: 6px; min-width: 0; }
  .below { grid-column: 1 / -1; min-height: 18px; }
  .below small { margin: 0; }
  .below button small { color: inherit; }
  .control .unit { flex: 1 1 0; width: 0; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  input, select { font: inherit; color: var(--vscode-input-foreground); background: var(--vscode-input-background); border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, var(--faint))); border-radius: 2px; padding: 1px 4px; height: 22px; box-sizing: border-box; min-width: 0; }
  select { color: var(--vscode-dropdown-foreground); background: var(--vscode-dropdown-background); border-color: var(--vscode-dropdown-border, var(--faint)); width: 100%; max-width: 190px; padding: 0 2px; }
  input:focus, select:focus { outline: 1px solid var(--vscode-focusBorder, Highlight); outline-offset: -1px; }
  input:invalid { border-color: var(--vscode-inputValidation-errorBorder, var(--red)); background: var(--vscode-inputValidation-errorBackground); }
  input.number { width: 76px; flex: none; appearance: textfield; }
  input.number::-webkit-inner-spin-button { opacity: 0.5; }
  input[type='range'] { appearance: none; background: none; border: none; padding: 0; display: block; width: 100%; height: 14px; margin: 0; cursor: pointer; }
  input[type='range']::-webkit-slider-runnable-track { height: 2px; background: color-mix(in srgb, var(--text) 30%, transparent); }
  input[type='range']::-webkit-slider-thumb { appearance: none; width: 12px; height: 12px; margin-top: -5px; border-radius: 50%; background: var(--vscode-button-background, var(--text)); border: 1px solid var(--edge); }

  table { border-collapse: collapse; width: 100%; }
  th, td { font-weight: 400; padding: 2px 0 2px 8px; text-align: end; white-space: nowrap; vertical-align: baseline; }
  th:first-child, td:first-child { text-align: start; padding-inline-start: 0; }
  thead th { color: var(--quiet); font-size: 0.88em; }
  .strong { font-weight: 600; }
  tbody.now th { font-weight: 600; }
  small { color: var(--quiet); font-weight: 400; font-size: 0.88em; margin-inline-start: 6px; }
  .badge { display: inline-block; white-space: nowrap; font-size: 0.8em; font-weight: 400; padding: 0 5px; border-radius: 8px; color: var(--vscode-badge-foreground); background: var(--vscode-badge-background); border: 1px solid var(--edge); }
  tr.bar td { padding: 0 0 5px; line-height: 0; }
  tr.bar svg { width: 100%; height: 3px; }
  .track { fill: var(--faint); }
  .fill { fill: color-mix(in srgb, var(--text) 55%, transparent); }
  tbody.now .fill { fill: var(--pytorch); }
  .totals .fixed { fill: color-mix(in srgb, var(--text) 25%, transparent); }
  .totals .fill { fill: color-mix(in srgb, var(--yellow) 80%, transparent); }
  .totals tr.bar svg { height: 4px; }
  .totals th:first-child { white-space: normal; }
  .totals small { display: block; margin: 0; }
  .totals small > span:not(:empty) { margin-inline-end: 8px; }
  .totals small > span { white-space: nowrap; }
  .legend-line { font-size: 0.88em; }

  .curve { touch-action: none; cursor: ew-resize; }
  .grid { stroke: var(--faint); stroke-width: 1; shape-rendering: crispEdges; }
  .tick { fill: var(--quiet); font-size: 11px; }
  .current { stroke: var(--text); stroke-width: 1; stroke-dasharray: 2 3; opacity: 0.7; }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
  .line.pytorch, .best.pytorch { stroke: var(--pytorch); }
  .line.paper, .best.paper { stroke: var(--paper); }
  .line.paper { stroke-dasharray: 5 3; }
  .dot.pytorch { fill: var(--pytorch); }
  .dot.paper { fill: var(--paper); }
  .best { fill: none; stroke-width: 1.5; }
  .legend-table { font-size: 0.92em; margin-top: 4px; }
  .axis { color: var(--quiet); font-size: 0.88em; }
  .swatch { width: 10px; height: 10px; flex: none; }
  .swatch.wide { width: 18px; display: inline-block; margin-inline-end: 4px; }

  .stack { margin: 2px 0 6px; }
  .part { stroke: var(--vscode-sideBar-background, var(--vscode-editor-background)); stroke-width: 1; }
  .part-0 { fill: var(--blue); }
  .part-1 { fill: var(--orange); }
  .part-2 { fill: var(--green); }
  .part-3 { fill: var(--purple); }
  .part-4 { fill: var(--yellow); }
  .part-5 { fill: var(--red); }
  .memory-parameters { fill: var(--blue); }
  .memory-gradients { fill: var(--purple); }
  .memory-optimizer { fill: color-mix(in oklab, var(--blue) 55%, var(--text)); }
  .memory-communication { fill: var(--green); }
  .memory-stored { fill: var(--yellow); }
  .memory-running { fill: var(--orange); }
  .memory-head { fill: var(--red); }
  .memory-allowance { fill: color-mix(in srgb, var(--text) 35%, transparent); }
  .picture-background { fill: var(--vscode-sideBar-background, var(--vscode-editor-background)); }
  .picture-foreground { fill: var(--text); }
  .bracket { fill: none; stroke: var(--text); stroke-width: 1.5; }
  .limit { fill: none; stroke: var(--text); stroke-width: 1.5; stroke-dasharray: 3 3; }
  .lowerable { margin-bottom: 4px; }
  .lowerable .swatch { display: inline-block; vertical-align: -1px; }
  .parts li + li { border-top: 1px solid var(--faint); }
  .parts summary { display: grid; grid-template-columns: 10px 10px 1fr auto 52px; gap: 6px; padding: 2px 0; }
  .parts summary:hover { background: var(--vscode-list-hoverBackground); }
  .parts .share { text-align: end; color: var(--quiet); white-space: nowrap; }
  .parts .value { text-align: end; white-space: nowrap; }
  .made-of { margin: 0 0 6px 32px; font-size: 0.92em; overflow-wrap: anywhere; }
  .made-of .strong span { font-weight: 400; margin-inline-start: 4px; }
  .sum { display: flex; justify-content: space-between; border-top: 1px solid var(--hairline); padding-top: 2px; margin-top: 2px; font-weight: 600; padding-inline-end: 58px; }
  .said li { padding-inline-start: 12px; text-indent: -12px; font-size: 0.95em; color: var(--quiet); }
  .said li + li { margin-top: 3px; }
  .said li::before { content: '–'; display: inline-block; width: 12px; text-indent: 0; }
  .pending { opacity: 0.6; }
  .compare { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; margin-bottom: 6px; }
  .compare select { width: auto; max-width: 100%; flex: 1 1 100px; }
  .line.first, .mark-now { stroke: var(--pytorch); }
  .line.second { stroke: var(--orange); stroke-dasharray: 5 3; }
  .area { stroke: none; opacity: 0.14; }
  .area.first, .dot.first { fill: var(--pytorch); }
  .area.second, .dot.second { fill: var(--orange); }
  .mark-now { fill: var(--text); stroke-width: 1.5; }
  .mark-cheapest { fill: none; stroke: var(--green); stroke-width: 2; }
  .legend.peaks li { display: flex; flex-wrap: wrap; gap: 0 8px; }
  .legend.peaks .label { font-weight: 600; }
  .legend.peaks .share { flex: 1 1 auto; text-align: start; }
  .operations th { white-space: normal; }
  .operations .kept { white-space: normal; text-align: start; font-size: 0.88em; color: var(--quiet); padding: 0 0 4px 10px; }
  .remedies th { white-space: normal; }
  .copy { border-top: 1px solid var(--hairline); margin: 0 calc(-1 * var(--gap)); padding: 8px var(--gap) 0; display: flex; flex-wrap: wrap; gap: 2px 10px; font-size: 0.92em; }
  .fact.lost .value { color: var(--quiet); }
  .fact.lost .label { padding-inline-start: 10px; }
  .checked { display: inline-flex; flex-direction: column; min-width: 0; }
  .problem { display: none; font-size: 0.85em; white-space: normal; background: var(--vscode-inputValidation-errorBackground); border: 1px solid var(--vscode-inputValidation-errorBorder, var(--red)); color: var(--vscode-inputValidation-errorForeground, inherit); padding: 1px 4px; max-width: 180px; }
  input:invalid + .problem { display: block; }
  .legend li { display: grid; grid-template-columns: 10px 1fr auto 52px; gap: 8px; align-items: baseline; }
  .legend .label { min-width: 0; }
  .legend .value, .legend .share { text-align: end; white-space: nowrap; }
  .legend .share { color: var(--quiet); }
  .legend .total { grid-template-columns: 1fr auto 52px; border-top: 1px solid var(--hairline); margin-top: 2px; padding-top: 2px; font-weight: 600; }

  .stale, .notes, .note { font-size: 0.95em; border-inline-start: 3px solid var(--vscode-editorWarning-foreground, var(--yellow)); padding: 2px 8px; margin: 8px 0; background: var(--faint); }
  .notes { background: none; border-inline-start-width: 2px; border-inline-start-color: var(--vscode-editorInfo-foreground, var(--blue)); }
  .notes li + li { margin-top: 3px; }
  .stale .link + .link { margin-inline-start: 8px; }
  .empty, .waiting { padding-top: 12px; }
  .empty p { margin: 0 0 8px; }
  .empty ul { margin: 0 0 10px; }
  .empty ul:not(.notes, .facts) li { padding-inline-start: 12px; text-indent: -12px; margin-bottom: 4px; color: var(--quiet); }
  .empty ul:not(.notes, .facts) li::before { content: '–'; display: inline-block; width: 12px; text-indent: 0; }

  @container (max-width: 330px) {
    .facts:has(.what-if) { column-gap: 5px; font-size: 0.88em; }
    select { padding: 0; }
    .strategies { font-size: 0.88em; }
    .strategies :is(th, td):not(:first-child) { padding-inline-start: 5px; }
    .strategies small { display: block; margin: 0; }
    .strategies .wide, .control .unit { display: none; }
    .strategies thead th::first-letter { text-transform: uppercase; }
    /* The totals say the same, and whether it fits is what one looks for. */
    .totals .saved, .remedies :is(th, td):nth-child(3) { display: none; }
  }
  @container (max-width: 250px) {
    .totals th:first-child { overflow-wrap: anywhere; }
    thead th { white-space: normal; }
    .totals .activations { display: none; }
    .remedies { font-size: 0.86em; }
    .parts summary { grid-template-columns: 10px 10px 1fr auto; }
    .parts .share { display: none; }
    .sum { padding-inline-end: 0; }
    .made-of { margin-inline-start: 12px; }
    .big { font-size: 1.1em; }
    .facts { column-gap: 6px; font-size: 0.92em; }
    .facts:has(.what-if) { grid-template-columns: max-content minmax(50px, 1fr) auto; }
    /* A word that is cut off says nothing: what is picked stands below its name. */
    .what-if:has(select) .control { grid-column: 1 / 3; grid-row: 2; }
    .what-if:has(select) .mark { grid-row: 2; }
    .what-if:has(select) select { max-width: none; }
    .facts > li.what-if:has(select) { padding-bottom: 4px; }
    .unit, .letter { display: none; }
    .fact .value { white-space: normal; }
    input.number { width: 58px; }
    .legend li { grid-template-columns: 10px 1fr auto 44px; gap: 5px; font-size: 0.92em; }
    .legend .total { grid-template-columns: 1fr auto 44px; }
    /* The step's extra work says the same in the unit people feel. */
    .strategies .forward { display: none; }
    .strategies { font-size: 0.82em; }
    .legend-table { font-size: 0.85em; }
    .legend-table :is(th, td):not(:first-child) { padding-inline-start: 4px; }
    .legend-table .at { display: none; }
  }
  @media (prefers-reduced-motion: no-preference) {
    .fill { transition: width 120ms ease-out; }
  }
`;
