//! Who the user is to a host that asks: the login of the URL, a token of the environment, or git's own helper.
//!
//! Secrets stay in memory: nothing is stored or erased through a helper, and nobody is asked on the terminal.

use gix::bstr::ByteSlice;
use gix::credentials::helper::{Action, NextAction};
use gix::credentials::protocol::{Context, Outcome};
use gix::sec::identity::Account;
use gix::url::Scheme;

use super::source::{Login, RemoteUrl};

/// Token for the host that the URL names, whichever it is.
pub(super) const TOKEN_VARIABLE: &str = "AUDIT_TOKEN";

/// Tokens that belong to one host: the host, the variable, and the user name the host wants with a token.
const HOST_TOKENS: [(&str, &str, &str); 4] = [
    ("github.com", "GITHUB_TOKEN", "x-access-token"),
    ("github.com", "GH_TOKEN", "x-access-token"),
    ("gitlab.com", "GITLAB_TOKEN", "oauth2"),
    ("bitbucket.org", "BITBUCKET_TOKEN", "x-token-auth"),
];

/// User name that goes with a token where the host is none of those above; most take any.
const ANY_TOKEN_USER: &str = "x-access-token";

/// Reads a variable of the environment.
type Environment = fn(&str) -> Option<String>;

/// Answers the requests for credentials that arise while fetching from `url`, with the user's git configuration as
/// `repository` has it.
pub(super) fn answer(
    url: &RemoteUrl,
    repository: &gix::Repository,
) -> impl FnMut(Action) -> gix::Result<Option<Outcome>> + use<> {
    let (url, repository) = (url.clone(), repository.clone());
    move |action| {
        let Action::Get(context) = action else {
            return Ok(None);
        };
        // The URL of the moment: a redirect may have led to another host, which gets no secret of the first.
        let asked = match &context.url {
            Some(asked) => gix::url::parse(asked.as_bstr())?,
            None => url.connect().clone(),
        };
        // ssh has its own keys and agents; what a helper knows is of no use to it.
        if asked.scheme == Scheme::Ssh {
            return Ok(None);
        }
        let own_host = same_host(&asked, url.connect());
        let login = url.login().filter(|_| own_host);
        if let Some(account) =
            known_account(&asked, own_host, login, |name| std::env::var(name).ok())
        {
            return Ok(Some(outcome(account, context)));
        }
        let answered = ask_helper(&repository, asked, login, context.clone());
        match (answered, login) {
            // A token is often given as the user, without a password.
            (Err(_) | Ok(None), Some(login)) => {
                Ok(Some(outcome(account(&login.user, ""), context)))
            }
            (answered, _) => answered,
        }
    }
}

/// The account that needs no helper: the URL's login when it has a password, else a token of the environment.
fn known_account(
    asked: &gix::Url,
    own_host: bool,
    login: Option<&Login>,
    environment: Environment,
) -> Option<Account> {
    if let Some(Login {
        user,
        password: Some(password),
    }) = login
    {
        return Some(account(user, password));
    }
    // A token never crosses the network in the clear.
    if asked.scheme != Scheme::Https {
        return None;
    }
    let host = asked.host()?;
    let set = |name: &str| environment(name).filter(|token| !token.is_empty());
    let mut of_host = HOST_TOKENS.iter().filter(|(of, _, _)| *of == host);
    if let Some(token) = own_host.then(|| set(TOKEN_VARIABLE)).flatten() {
        let user = of_host.next().map_or(ANY_TOKEN_USER, |(_, _, user)| user);
        return Some(account(user, &token));
    }
    of_host.find_map(|(_, variable, user)| set(variable).map(|token| account(user, &token)))
}

fn ask_helper(
    repository: &gix::Repository,
    mut asked: gix::Url,
    login: Option<&Login>,
    mut context: Context,
) -> gix::Result<Option<Outcome>> {
    if let Some(login) = login {
        asked.set_user(Some(login.user.clone()));
        context.username = Some(login.user.clone());
    }
    let (mut cascade, _, mut prompt) = repository.config_snapshot().credential_helpers(asked)?;
    prompt.mode = gix::prompt::Mode::Disable;
    cascade.invoke(Action::Get(context), prompt)
}

fn account(user: &str, password: &str) -> Account {
    Account {
        username: user.to_owned(),
        password: password.to_owned(),
        oauth_refresh_token: None,
    }
}

fn outcome(identity: Account, context: Context) -> Outcome {
    Outcome {
        identity,
        next: NextAction::from(context),
    }
}

fn same_host(a: &gix::Url, b: &gix::Url) -> bool {
    a.scheme == b.scheme && a.host() == b.host() && a.port_or_default() == b.port_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(name: &str) -> Option<String> {
        match name {
            "AUDIT_TOKEN" => Some("any".to_owned()),
            _ => gitlab_only(name),
        }
    }

    fn gitlab_only(name: &str) -> Option<String> {
        (name == "GITLAB_TOKEN").then(|| "gl".to_owned())
    }

    fn known(
        url: &str,
        own_host: bool,
        login: Option<&Login>,
        environment: Environment,
    ) -> Option<(String, String)> {
        let asked = gix::url::parse(url).unwrap();
        known_account(&asked, own_host, login, environment)
            .map(|account| (account.username, account.password))
    }

    #[test]
    fn a_token_goes_to_its_own_host_over_https_only() {
        let pair = |user: &str, token: &str| Some((user.to_owned(), token.to_owned()));
        assert_eq!(
            known("https://gitlab.com/o/n", true, None, gitlab_only),
            pair("oauth2", "gl")
        );
        assert_eq!(
            known("https://example.com/o/n", true, None, gitlab_only),
            None
        );
        assert_eq!(
            known("http://gitlab.com/o/n", true, None, gitlab_only),
            None
        );
        assert_eq!(
            known("https://example.com/o/n", true, None, environment),
            pair("x-access-token", "any")
        );
        assert_eq!(
            known("https://bitbucket.org/o/n", true, None, environment),
            pair("x-token-auth", "any")
        );
        assert_eq!(
            known("https://example.com/o/n", false, None, environment),
            None,
            "redirected"
        );
    }

    #[test]
    fn a_login_in_the_url_comes_first() {
        let login = Login {
            user: "me".to_owned(),
            password: Some("pw".to_owned()),
        };
        let account = known("https://gitlab.com/o/n", true, Some(&login), environment);
        assert_eq!(account, Some(("me".to_owned(), "pw".to_owned())));
    }
}
