//! The page in a headless Chromium.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{example, page, published, spoil};
use crate::webdriver::Browser;

const TAB: char = '\u{E004}';
const ENTER: char = '\u{E007}';
const RIGHT: char = '\u{E014}';

/// A browser that shows the page of a card, and the page's address.
struct Shown {
    browser: Browser,
    url: String,
    folder: TempDir,
}

fn show(card: &Value) -> Option<Shown> {
    let browser = Browser::start()?;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("card.html");
    fs::write(&path, page(card)).unwrap();
    let url = browser.load(&path);
    Some(Shown {
        browser,
        url,
        folder,
    })
}

/// Ids of the criteria that are to be seen.
fn criteria(browser: &Browser) -> Value {
    browser.run("return [...document.querySelectorAll('.criterion')].filter(c => c.checkVisibility()).map(c => c.id)")
}

#[test]
fn it_renders_without_a_request_or_a_complaint() {
    let Some(Shown { browser, url, .. }) = show(&example()) else {
        return;
    };
    assert_eq!(
        browser.run("return document.title"),
        "Deskhand: 3.9 / 10 – defense-in-depth score"
    );
    assert_eq!(criteria(&browser).as_array().unwrap().len(), 10);
    let headline = browser.run("return document.querySelector('.headline').innerText");
    assert!(
        headline
            .as_str()
            .unwrap()
            .starts_with("Code that the model writes")
    );
    // The style got past the policy, and so did the script.
    assert_eq!(
        browser.run("return getComputedStyle(document.querySelector('.score')).display"),
        "grid"
    );
    assert_eq!(
        browser.run("return document.getElementById('shown').textContent"),
        "10 of 10 shown"
    );
    assert_eq!(browser.complaints(), [] as [String; 0]);
    assert_eq!(browser.requests(), [url]);
}

#[test]
fn filters_work_by_keyboard() {
    let Some(Shown { browser, .. }) = show(&published()) else {
        return;
    };
    // The link that skips to the criteria, then the first filter: L0.
    browser.press(&[TAB, ENTER, TAB, ' ']);
    assert_eq!(criteria(&browser), json!(["C1", "C2", "C4", "C5", "C8"]));
    let ratings = "return [...document.querySelectorAll('#C1 .ratings > li')].filter(r => !r.hidden).map(r => r.dataset.level)";
    assert_eq!(browser.run(ratings), json!(["L0"]));
    // L1, L2, L3, L4, SA, then the cap: from any to capped.
    browser.press(&[TAB, TAB, TAB, TAB, TAB, TAB, RIGHT]);
    assert_eq!(criteria(&browser), json!(["C5"]));
    assert_eq!(
        browser.run("return document.getElementById('shown').textContent"),
        "1 of 10 shown"
    );
    // A link to a criterion that is filtered out shows and opens it.
    browser.run("location.hash = '#C3'");
    assert_eq!(
        browser.wait_for("setTimeout(() => done(document.getElementById('C3').open), 50)"),
        true
    );
    assert_eq!(criteria(&browser).as_array().unwrap().len(), 10);
    // Open all, by keyboard.
    browser.run("document.getElementById('open-all').focus()");
    browser.press(&[ENTER]);
    assert_eq!(
        browser.run("return document.querySelectorAll('.criterion[open]').length"),
        10
    );
}

#[test]
fn a_hostile_card_stays_inert() {
    let mut card = published();
    spoil(
        &mut card,
        "</title></style></script>\"'><script>window.hit=1</script><img src=https://evil.example/a onerror=window.hit=1>\
         <svg onload=window.hit=1><style>body{display:none}</style><base href=https://evil.example/>\
         javascript:window.hit=1 {{ 7 * 7 }} {% raw %}\u{202E}",
    );
    let Some(Shown { browser, url, .. }) = show(&card) else {
        return;
    };
    browser.run("document.querySelectorAll('details').forEach(d => d.open = true)");
    assert_eq!(browser.run("return window.hit ?? null"), Value::Null);
    let own = "return ['script', 'style', 'img', 'base', 'iframe', 'a:not([href^=\"#\"])'].map(tag => document.querySelectorAll(tag).length)";
    assert_eq!(browser.run(own), json!([1, 1, 0, 0, 0, 0]));
    assert!(
        browser
            .run("return document.title")
            .as_str()
            .unwrap()
            .contains("{{ 7 * 7 }}")
    );
    assert_eq!(browser.complaints(), [] as [String; 0]);
    assert_eq!(browser.requests(), [url]);
    // The policy is in force: what would get into the page all the same stays without effect.
    let blocked = "document.addEventListener('securitypolicyviolation', event => done(event.effectiveDirective)); \
        const image = new Image(); image.src = 'https://evil.example/b'; document.body.append(image);";
    assert_eq!(browser.wait_for(blocked), "img-src");
    let script = "const script = document.createElement('script'); script.textContent = 'window.hit = 1'; \
        document.body.append(script); return window.hit ?? null";
    assert_eq!(browser.run(script), Value::Null);
}

#[test]
fn it_works_without_script_and_on_paper() {
    let Some(Shown {
        browser, folder, ..
    }) = show(&example())
    else {
        return;
    };
    browser.devtools(
        "Emulation.setScriptExecutionDisabled",
        &json!({"value": true}),
    );
    browser.load(&folder.path().join("card.html"));
    assert_eq!(
        browser.run("return document.getElementById('filters').checkVisibility()"),
        false
    );
    assert_eq!(criteria(&browser).as_array().unwrap().len(), 10);
    let finding = "return document.querySelector('#C2 .ratings p').checkVisibility()";
    assert_eq!(browser.run(finding), false);
    browser.devtools("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    assert_eq!(browser.run(finding), true);
}

/// Every text's contrast with what lies behind it; lists those below 4.5.
const CONTRAST: &str = "
    const parse = (text) => text.match(/[\\d.]+/g).map(Number);
    const channel = (value) => { value /= 255; return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
    const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const behind = (element) => {
        for (; element; element = element.parentElement) {
            const colour = parse(getComputedStyle(element).backgroundColor);
            if (colour.length === 3 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    document.querySelectorAll('details').forEach((one) => { one.open = true; });
    const low = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let count = 0;
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest('title, desc, script')) continue;
        const style = getComputedStyle(element);
        const pair = [luminance(parse(element.closest('svg') ? style.fill : style.color)), luminance(behind(element))].sort((a, b) => b - a);
        const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
        if (ratio < 4.5) low.add(`${element.className?.baseVal ?? element.className} ${element.tagName} ${ratio.toFixed(2)}`);
        count += 1;
    }
    return [count, [...low]];";

#[test]
fn text_stands_out_in_light_and_dark() {
    let Some(Shown { browser, .. }) = show(&published()) else {
        return;
    };
    browser.run("document.querySelector('[name=level]').click()");
    browser.run("document.getElementById('clear').click()");
    for scheme in ["light", "dark"] {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        browser.devtools("Emulation.setEmulatedMedia", &features);
        let measured = browser.run(CONTRAST);
        assert!(measured[0].as_u64().unwrap() > 300, "{measured}");
        assert_eq!(measured[1], json!([]), "{scheme}");
    }
}

#[test]
fn what_it_draws_and_asks_has_names() {
    let Some(Shown { browser, .. }) = show(&example()) else {
        return;
    };
    let unnamed = "return [...document.querySelectorAll('svg, input, section, button')].filter(e =>
        !(e.getAttribute('aria-labelledby') ?? '').split(' ').every(id => document.getElementById(id)?.textContent) &&
        !e.labels?.[0]?.textContent && !e.textContent.trim()).length";
    assert_eq!(browser.run(unnamed), 0);
    let ids = "const ids = [...document.querySelectorAll('[id]')].map(e => e.id); return ids.length - new Set(ids).size";
    assert_eq!(browser.run(ids), 0);
    let landmarks = "return ['header', 'main', 'footer', 'h1'].map(tag => document.querySelectorAll(tag).length)";
    assert_eq!(browser.run(landmarks), json!([1, 1, 1, 1]));
}
